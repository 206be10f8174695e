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
 * The name of a file that exists from the moment a restore begins to replace files until the restore is complete. If
 * the file exists at a start, Baton must finish the restore before anything opens the store.
 */
const JOURNAL = 'restore.json';

interface Journal {
  /** Two folders in the home: `staging` contains the new files, and `aside` gets the old files. */
  readonly staging: string;
  readonly aside: string;
  /**
   * The files and folders that the restore replaces as a whole. `fresh` is false if the backup does not contain the
   * file or folder; the restore then only moves the old version aside.
   */
  readonly pieces: readonly { readonly name: string; readonly fresh: boolean }[];
}

export const isRestoreUnfinished = (home: string): boolean => existsSync(join(home, JOURNAL));

/**
 * Writes a journal, and then replaces the files. Once the journal is written, the restore cannot be undone: if Baton is
 * killed, its next start finishes the restore. A restore leaves the home itself in place, because the home contains the
 * sockets of live agents.
 */
export function swapIn(home: string, journal: Journal, checkpoint: (name: string) => void): void {
  syncFolder(join(home, journal.staging));
  checkpoint('restore:unpacked');
  writeSafely(home, JSON.stringify(journal));
  checkpoint('restore:decided');
  finishRestore(home, checkpoint);
}

/**
 * Finishes a restore that was interrupted at any point. Every step checks which files exist, so a step can be repeated.
 * The caller holds the server's lock.
 */
export function finishRestore(home: string, checkpoint: (name: string) => void = () => undefined): boolean {
  if (!isRestoreUnfinished(home)) return false;
  const { staging, aside, pieces } = JSON.parse(readFileSync(join(home, JOURNAL), 'utf8')) as Journal;
  mkdirSync(join(home, aside), { recursive: true, mode: 0o700 });
  for (const { name, fresh } of pieces) {
    const [next, current, old] = [join(home, staging, name), join(home, name), join(home, aside, name)];
    // An earlier attempt has already moved this new file or folder into its place.
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
