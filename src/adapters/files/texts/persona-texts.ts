import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AgentFiles, PersonaText, TextChange, TextSaved } from '../../../app/ports/files/agent-files.ts';
import type { PersonaTextName } from '../../../domain/personas/persona.ts';
import { type DocumentRead, readDocument } from '../read-document.ts';

type Write = (path: string, content: Uint8Array, mode: number) => Promise<void>;
type PathOf = (slug: string, name: PersonaTextName) => string;

/**
 * The operator also edits these files by hand, so a save never overwrites a change that was made after Baton read the
 * text.
 */
export function createPersonaTexts(
  pathOf: PathOf,
  write: Write,
): Pick<AgentFiles, 'readPersonaText' | 'savePersonaText'> {
  let last: Promise<unknown> = Promise.resolve();
  return {
    readPersonaText: async (slug, name) => look(pathOf(slug, name)),
    savePersonaText: (slug, name, change) => {
      // Run one save at a time: if two saves are based on the same text, the second one must see the result of the
      // first.
      const saved = last.then(() => save(pathOf(slug, name), change, write));
      last = saved.catch(() => undefined);
      return saved;
    },
  };
}

async function look(path: string): Promise<PersonaText> {
  const read = await readDocument(path);
  if (read.verdict === 'missing') return { text: null, sha256: null };
  if (read.verdict !== 'good' && read.verdict !== 'empty') return unusable(path, WHY_NOT[read.verdict]);
  const bytes = read.verdict === 'good' ? read.bytes : Buffer.alloc(0);
  const text = decode(bytes);
  return text === undefined ? unusable(path, 'the file is not UTF-8 text') : { text, sha256: sha256Of(bytes) };
}

async function save(path: string, { text, basedOn }: TextChange, write: Write): Promise<TextSaved> {
  const bytes = Buffer.from(text);
  if (decode(bytes) !== text)
    return {
      outcome: 'unusable',
      why: 'The text contains a character that is not valid Unicode (an unpaired surrogate), so it was not saved',
    };
  const found = await look(path);
  if (found.problem !== undefined) return { outcome: 'unusable', why: found.problem };
  if (found.sha256 !== basedOn) return { outcome: 'changed_meanwhile' };
  if (found.sha256 === sha256Of(bytes)) return { outcome: 'same' };
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const mode = found.sha256 === null ? 0o600 : (await lstat(path)).mode & 0o777;
    // Refuse a read-only file. Without this check, the rename would replace even a read-only file.
    if ((mode & 0o222) === 0) return { outcome: 'unusable', why: leftAlone(path, 'it is read-only') };
    await write(path, bytes, mode);
  } catch (error) {
    return { outcome: 'unusable', why: leftAlone(path, (error as Error).message) };
  }
  return { outcome: 'saved' };
}

const unusable = (path: string, why: string): PersonaText => ({
  text: null,
  sha256: null,
  problem: leftAlone(path, why),
});

const leftAlone = (path: string, why: string): string => `${path} was left as it is: ${why}. Fix it, then try again`;

const WHY_NOT: Record<Exclude<DocumentRead['verdict'], 'good' | 'empty' | 'missing'>, string> = {
  not_a_regular_file: 'the path is not a regular file',
  reached_through_link: 'the path of the file leads through a symbolic link',
  too_large: 'it is larger than 1 MiB',
  unreadable: 'it cannot be read',
};

/** Returns undefined for bytes that are not UTF-8, because decoding them to a string would lose bytes. */
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
