import { createHash } from 'node:crypto';
import type { DocumentEvidence } from '../../src/app/ports/files/agent-files.ts';
import type { DocumentCheck } from '../../src/domain/facts.ts';
import { endsWithMarker } from '../../src/domain/handoffs/document/document.ts';

interface SimFile {
  readonly kind: 'regular' | 'link' | 'folder' | 'huge';
  readonly text: string;
  readonly version: number;
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The simulated disk, which survives a kill of Baton. The disk holds documents by path, and Baton's own copies by hash.
 */
export class SimDisk {
  readonly documents = new Map<string, SimFile>();
  readonly copies = new Map<string, string>();
  /**
   * The texts that the agents' next SessionStart hooks will print. The key is the id of the agent. The first line of
   * each text is the name of the text.
   */
  readonly sessionStarts = new Map<number, string>();
  skillAbsent = false;
  /** The text of experience.md. The simulated disk uses the text itself in place of a hash. */
  experience = '';
  projectGone = false;
  private versions = 0;

  write(path: string, text: string, kind: SimFile['kind'] = 'regular'): void {
    this.documents.set(path, { kind, text, version: ++this.versions });
  }

  check(path: string, endToken: string): DocumentCheck {
    const verdict = this.verdict(path);
    if (verdict !== 'good') return { verdict };
    const text = this.documents.get(path)?.text ?? '';
    const hash = sha256(text);
    this.copies.set(hash, text);
    return { verdict, sha256: hash, bytes: text.length, markerFound: endsWithMarker(text, endToken) };
  }

  look(path: string, endToken: string): DocumentEvidence | undefined {
    if (this.verdict(path) !== 'good') return undefined;
    const { text, version } = this.documents.get(path) as SimFile;
    return { fingerprint: `${version}/${text.length}`, markerFound: endsWithMarker(text, endToken) };
  }

  restore(path: string, hash: string): 'there' | 'restored' | 'changed' {
    const verdict = this.verdict(path);
    if (verdict === 'missing') {
      const copy = this.copies.get(hash);
      if (copy === undefined) throw new Error(`there is no copy ${hash}`);
      this.write(path, copy);
      return 'restored';
    }
    return verdict === 'good' && sha256(this.documents.get(path)?.text ?? '') === hash ? 'there' : 'changed';
  }

  /** Returns up to five files in these folders, of any age. Any of them may be the missing document. */
  newTexts(folders: readonly string[], _since: string): readonly string[] {
    return [...this.documents.keys()]
      .filter((path) => folders.some((folder) => path.startsWith(`${folder}/`)))
      .slice(0, 5);
  }

  adopt(from: string, to: string, folders: readonly string[]): string | undefined {
    if (!folders.some((folder) => from.startsWith(`${folder}/`))) return `${from} is in none of the allowed folders`;
    if (this.verdict(from) !== 'good') return `${from} cannot be taken`;
    const before = this.documents.get(to)?.text;
    if (before !== undefined && this.verdict(to) === 'good') this.copies.set(sha256(before), before);
    this.write(to, this.documents.get(from)?.text ?? '');
    return undefined;
  }

  private verdict(path: string) {
    const file = this.documents.get(path);
    if (file === undefined) return 'missing' as const;
    if (file.kind === 'link') return 'reached_through_link' as const;
    if (file.kind === 'folder') return 'not_a_regular_file' as const;
    if (file.kind === 'huge') return 'too_large' as const;
    return file.text === '' ? ('empty' as const) : ('good' as const);
  }
}
