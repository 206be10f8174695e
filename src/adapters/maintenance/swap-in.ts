import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** While this file exists, a restore was decided and must be finished before anything opens the store. */
const JOURNAL = 'restore.json';

interface Journal {
  /** Folders in the home: where the new pieces wait, and where the old ones go. */
  readonly staging: string;
  readonly aside: string;
  /** `fresh`: a new piece replaces the old one; otherwise the old one is only moved aside. */
  readonly pieces: readonly { readonly name: string; readonly fresh: boolean }[];
}

export const isRestoreUnfinished = (home: string): boolean => existsSync(join(home, JOURNAL));

/**
 * Writing the journal decides the restore: before it the home is the old one, after it the new one, because the next
 * start finishes the restore first. Swaps the pieces in place instead of the home itself, which holds the sockets of
 * live agents.
 */
export function swapIn(home: string, journal: Journal, checkpoint: (name: string) => void): void {
  syncFolder(join(home, journal.staging));
  checkpoint('restore:unpacked');
  writeSafely(home, JSON.stringify(journal));
  checkpoint('restore:decided');
  finishRestore(home, checkpoint);
}

/**
 * Each step checks what is there, so a restore can be interrupted anywhere and finished later. The caller holds the
 * server's lock.
 */
export function finishRestore(home: string, checkpoint: (name: string) => void = () => undefined): boolean {
  if (!isRestoreUnfinished(home)) return false;
  const { staging, aside, pieces } = JSON.parse(readFileSync(join(home, JOURNAL), 'utf8')) as Journal;
  mkdirSync(join(home, aside), { recursive: true, mode: 0o700 });
  for (const { name, fresh } of pieces) {
    const [next, current, old] = [join(home, staging, name), join(home, name), join(home, aside, name)];
    // A new piece that is no longer in the staging folder is in its place already.
    if (fresh && !existsSync(next)) continue;
    if (existsSync(current) && !existsSync(old)) renameSync(current, old);
    checkpoint('restore:aside');
    if (fresh) renameSync(next, current);
    checkpoint('restore:placed');
  }
  syncFolder(home);
  rmSync(join(home, JOURNAL), { force: true });
  syncFolder(home);
  rmSync(join(home, staging), { recursive: true, force: true });
  return true;
}

/** Removes leftovers of restores that were interrupted before they were decided. */
export function removeLeftovers(home: string): void {
  for (const name of readdirSync(home))
    if (/^restore-[0-9a-f]{8}\.new$/.test(name)) rmSync(join(home, name), { recursive: true, force: true });
}

function writeSafely(home: string, text: string): void {
  const unfinished = join(home, `${JOURNAL}.tmp`);
  const file = openSync(unfinished, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, join(home, JOURNAL));
  syncFolder(home);
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
