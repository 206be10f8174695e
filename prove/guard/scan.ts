import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findTraces, type SeededSecret } from './secrets.ts';

export interface Hit {
  readonly where: string;
  readonly kind: string;
}

/** Finds every secret in this text. */
export const hitsIn = (where: string, content: string | Buffer, secrets: readonly SeededSecret[]): readonly Hit[] =>
  findTraces(Buffer.from(content), secrets).map(({ kind }) => ({ where, kind }));

/** Finds every secret in the files below this folder, except in files that `except` matches. */
export function hitsBelow(
  folder: string,
  secrets: readonly SeededSecret[],
  except: (path: string) => boolean = () => false,
): readonly Hit[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !except(path) && statSync(join(folder, path), { throwIfNoEntry: false })?.isFile())
    .flatMap((path) => hitsIn(path, readFileSync(join(folder, path)), secrets));
}
