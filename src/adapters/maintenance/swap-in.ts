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

/**
 * While this file exists, a restore has begun to replace files and must be finished before anything opens the store.
 */
const JOURNAL = 'restore.json';

interface Journal {
  /** Folders in the home: one with the new pieces, and one to which the old pieces are moved. */
  readonly staging: string;
  readonly aside: string;
  /** `fresh`: a new piece replaces the old piece. Otherwise the old piece is only moved aside. */
  readonly pieces: readonly { readonly name: string; readonly fresh: boolean }[];
}

export const isRestoreUnfinished = (home: string): boolean => existsSync(join(home, JOURNAL));

/**
 * Once the journal is written, the restore can no longer be undone, because the next start finishes it first. Swaps the
 * pieces inside the home and not the home itself, which contains the sockets of live agents.
 */
export function swapIn(home: string, journal: Journal, checkpoint: (name: string) => void): void {
  syncFolder(join(home, journal.staging));
  checkpoint('restore:unpacked');
  writeSafely(home, JSON.stringify(journal));
  checkpoint('restore:decided');
  finishRestore(home, checkpoint);
}

/**
 * Finishes a restore that was interrupted at any point. Each step checks which files exist, so it can be repeated. The
 * caller holds the server's lock.
 */
export function finishRestore(home: string, checkpoint: (name: string) => void = () => undefined): boolean {
  if (!isRestoreUnfinished(home)) return false;
  const { staging, aside, pieces } = JSON.parse(readFileSync(join(home, JOURNAL), 'utf8')) as Journal;
  mkdirSync(join(home, aside), { recursive: true, mode: 0o700 });
  for (const { name, fresh } of pieces) {
    const [next, current, old] = [join(home, staging, name), join(home, name), join(home, aside, name)];
    // A new piece that is no longer in the staging folder has already replaced the old one.
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

/** Removes leftovers of restores that were interrupted before their journal was written. */
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
