import { type Persona, personaNotFound, refuseArchived } from '../../domain/personas/persona.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Tx } from '../ports/store.ts';
import { personaNamed } from './find-by-name.ts';

/** The slug or name of a persona; null for no persona; undefined for the project's default persona, if there is one. */
export type PersonaRequest = string | null | undefined;

/**
 * Returns the persona with which an agent starts; null if the agent starts without a persona. Refuses if the default
 * persona is archived, because the agent must not silently start without a persona.
 */
export function choosePersona(tx: Tx, projectId: number, requested: PersonaRequest): Persona | null | Refusal {
  const byDefault = tx.projectById(projectId)?.defaultPersonaId ?? null;
  if (requested === null || (requested === undefined && byDefault === null)) return null;
  const persona = requested === undefined ? tx.personaById(byDefault ?? 0) : personaNamed(tx, requested);
  if (persona === undefined) return personaNotFound('');
  if (isRefusal(persona)) return persona;
  const archived = refuseArchived(persona);
  if (archived === undefined) return persona;
  return requested === undefined
    ? {
        ...archived,
        hint: `This persona is the default of project ${projectId}. ${archived.hint}; or start the agent without a persona: --no-persona`,
      }
    : archived;
}
