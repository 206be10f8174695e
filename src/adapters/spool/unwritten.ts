import { type BigIntStats, existsSync, writeFileSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Overflow } from '../../app/ports/spool.ts';

/**
 * The file with the number of events that the hook script could not write, counted from FIRST. It exists before it is
 * needed and is overwritten in place, so that events are counted even on a disk without a free block or inode. Two
 * scripts that run at once may count as one.
 */
export const UNWRITTEN = 'unwritten';
/** The file with the number of those events that were reported, counted from FIRST as well. */
const TOLD = 'unwritten-told';
export const FIRST = 1_000_000_000;
const NUMBER = /^1\d{9}$/;

export function putUnwritten(folder: string): void {
  for (const name of [UNWRITTEN, TOLD]) {
    const path = join(folder, name);
    try {
      if (!existsSync(path)) writeFileSync(path, `${FIRST}\n`, { mode: 0o600 });
    } catch {
      // The disk has no space for the file now. The script tries to create it, and reconcile reports the full disk.
    }
  }
}

export async function readUnwritten(folder: string): Promise<Overflow | undefined> {
  const path = join(folder, UNWRITTEN);
  const [count, told, found] = await Promise.all([numberIn(path), numberIn(join(folder, TOLD)), statOf(path)]);
  if (found === undefined || count <= told) return undefined;
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

const statOf = (path: string): Promise<BigIntStats | undefined> => stat(path, { bigint: true }).catch(() => undefined);

async function numberIn(path: string): Promise<number> {
  const text = (await readFile(path, 'utf8').catch(() => '')).trim();
  return NUMBER.test(text) ? Number(text) : FIRST;
}
