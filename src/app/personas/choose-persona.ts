import { type Persona, personaNotFound, refuseArchived } from '../../domain/personas/persona.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { Tx } from '../ports/store.ts';

/** A slug; null: none; undefined: the one that agents of the project wear by default, if it has one. */
export type PersonaRequest = string | null | undefined;

/** Whose persona an agent begins with; null: nobody's. A default that was archived since is refused by name, not passed over. */
export function choosePersona(tx: Tx, projectId: number, wish: PersonaRequest): Persona | null | Refusal {
  const byDefault = tx.projectById(projectId)?.defaultPersonaId ?? null;
  if (wish === null || (wish === undefined && byDefault === null)) return null;
  const persona = wish === undefined ? tx.personaById(byDefault ?? 0) : tx.personaBySlug(wish);
  if (persona === undefined) return personaNotFound(wish ?? '');
  const archived = refuseArchived(persona);
  if (archived === undefined) return persona;
  return wish === undefined
    ? {
        ...archived,
        hint: `It is the default of project ${projectId}. ${archived.hint} — or begin without: --no-persona`,
      }
    : archived;
}
