import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Overflow } from '../../app/ports/spool.ts';

/**
 * The name of a file that counts the events which the hook script could not write. The file exists in advance, and the
 * script overwrites its digits, because the disk may be full. If two scripts fail at the same time, the count may grow
 * by only one.
 */
export const UNWRITTEN = 'unwritten';
/**
 * The name of a file with the number of lost events that Baton has already reported. This file and the file `unwritten`
 * both count from FIRST, so that each count has ten digits.
 */
const TOLD = 'unwritten-told';
export const FIRST = 1_000_000_000;
const NUMBER = /^1\d{9}$/;

export function putUnwritten(folder: string): void {
  for (const name of [UNWRITTEN, TOLD]) {
    const path = join(folder, name);
    try {
      if (!existsSync(path)) writeFileSync(path, `${FIRST}\n`, { mode: 0o600 });
    } catch {
      // Ignore that the disk has no space for the file: the hook script tries to create the file later, and reconcile
      // reports the full disk.
    }
  }
}

export async function readUnwritten(folder: string): Promise<Overflow | undefined> {
  const path = join(folder, UNWRITTEN);
  const [count, told] = [numberIn(path), numberIn(join(folder, TOLD))];
  const found = count <= told ? undefined : statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return undefined;
  return { key: `unwritten@${found.ino}-${found.birthtimeNs}-${count}`, count: count - told, couldNotBeWritten: true };
}

export async function unwrittenTold(folder: string, { key }: Overflow): Promise<void> {
  const path = join(folder, TOLD);
  const text = `${key.slice(key.lastIndexOf('-') + 1)}\n`;
  const file = await open(path, 'r+').catch(() => open(path, 'w', 0o600));
  try {
    await file.write(text, 0);
  } finally {
    await file.close();
  }
}

function numberIn(path: string): number {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return NUMBER.test(text) ? Number(text) : FIRST;
  } catch {
    return FIRST;
  }
}
