import { type Persona, personaNotFound } from '../../domain/personas/persona.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { PersonaText } from '../ports/files/agent-files.ts';
import type { Ports } from '../ports/index.ts';

export interface ShownPersona {
  readonly persona: Persona;
  readonly skill: PersonaText;
  readonly experience: PersonaText;
  /** The ids of all agents that have or once had this persona, oldest first. */
  readonly agentIds: readonly number[];
}

export async function showPersona(
  { store, files }: Pick<Ports, 'store' | 'files'>,
  slug: string,
): Promise<ShownPersona | Refusal> {
  const known = store.read((tx) => {
    const persona = tx.personaBySlug(slug);
    return persona && { persona, agentIds: tx.agentIdsOfPersona(persona.id) };
  });
  if (known === undefined) return personaNotFound(slug);
  const [skill, experience] = await Promise.all([
    files.readPersonaText(slug, 'skill'),
    files.readPersonaText(slug, 'experience'),
  ]);
  return { ...known, skill, experience };
}
