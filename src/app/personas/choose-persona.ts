import { type Persona, personaNotFound, refuseArchived } from '../../domain/personas/persona.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { Tx } from '../ports/store.ts';

/** A slug; null: none; undefined: the project's default persona, if it has one. */
export type PersonaRequest = string | null | undefined;

/**
 * The persona that an agent starts with; null: none. An archived default is refused by name instead of being ignored.
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
