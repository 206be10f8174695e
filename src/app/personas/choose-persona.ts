import { type Persona, personaNotFound, refuseArchived } from '../../domain/personas/persona.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { Tx } from '../ports/store.ts';

/** The slug of a persona; null for no persona; undefined for the default persona of the project, if it has one. */
export type PersonaRequest = string | null | undefined;

/**
 * Returns the persona with which an agent starts; null for none. If the default persona is archived, the start is
 * refused; the default is not ignored.
 */
export function choosePersona(tx: Tx, projectId: number, requested: PersonaRequest): Persona | null | Refusal {
  const byDefault = tx.projectById(projectId)?.defaultPersonaId ?? null;
  if (requested === null || (requested === undefined && byDefault === null)) return null;
  const persona = requested === undefined ? tx.personaById(byDefault ?? 0) : tx.personaBySlug(requested);
  if (persona === undefined) return personaNotFound(requested ?? '');
  const archived = refuseArchived(persona);
  if (archived === undefined) return persona;
  return requested === undefined
    ? {
        ...archived,
        hint: `It is the default of project ${projectId}. ${archived.hint} — or start without a persona: --no-persona`,
      }
    : archived;
}
