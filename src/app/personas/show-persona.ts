import { type Persona, personaNotFound } from '../../domain/personas/persona.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { PersonaText } from '../ports/files/agent-files.ts';
import type { Ports } from '../ports/index.ts';

export interface ShownPersona {
  readonly persona: Persona;
  readonly skill: PersonaText;
  readonly experience: PersonaText;
  /** The ids of the newest agents that have or once had this persona, oldest first, at most `MAX_AGENTS`. */
  readonly agentIds: readonly number[];
}

/**
 * The maximum number of agents in this list, because a persona may have had thousands of agents. The lineage of the
 * persona lists all of them, page by page.
 */
const MAX_AGENTS = 100;

export async function showPersona(
  { store, files }: Pick<Ports, 'store' | 'files'>,
  slug: string,
): Promise<ShownPersona | Refusal> {
  const known = store.read((tx) => {
    const persona = tx.personaBySlug(slug);
    return persona && { persona, agentIds: tx.agentIdsOfPersona(persona.id, { limit: MAX_AGENTS }) };
  });
  if (known === undefined) return personaNotFound(slug);
  const [skill, experience] = await Promise.all([
    files.readPersonaText(slug, 'skill'),
    files.readPersonaText(slug, 'experience'),
  ]);
  return { ...known, skill, experience };
}
