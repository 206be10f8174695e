import { type PersonaTextName, personaNotFound } from '../../domain/personas/persona.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import type { TextChange } from '../ports/files/agent-files.ts';
import type { Ports } from '../ports/index.ts';

/**
 * Saves a text of a persona. Agents get the new text when their next session starts. Baton writes the text before it
 * logs the event, so a crash can cause a missing log entry, but never a missing text.
 */
export async function savePersonaText(
  ports: Ports,
  { slug, name }: { readonly slug: string; readonly name: PersonaTextName },
  change: TextChange,
): Promise<Refusal | undefined> {
  if (ports.store.read((tx) => tx.personaBySlug(slug)) === undefined) return personaNotFound(slug);
  const saved = await ports.files.savePersonaText(slug, name, change);
  if (saved.outcome === 'unusable') return { code: 'persona_text_unusable', sentence: saved.why };
  if (saved.outcome === 'changed_meanwhile') return changedMeanwhile(slug, name);
  if (saved.outcome === 'same') return undefined;
  const sha256 = ports.chance.sha256(change.text);
  await ports.store.write((tx) =>
    appendNotice(tx, ports, { type: 'persona_text_saved', slug, text: name, sha256 }, { agentId: null, runId: null }),
  );
  return undefined;
}

const changedMeanwhile = (slug: string, name: PersonaTextName): Refusal => ({
  code: 'persona_text_changed',
  sentence: `${name}.md of persona ${slug} was changed after you read it, so nothing was saved`,
  hint: `Read the text again, apply your change to the new text, and save that: baton persona ${name} ${slug}`,
});
