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

/** While this stands in the home, a restore was decided and has to be finished before anybody opens the store. */
const JOURNAL = 'restore.json';

interface Journal {
  /** Folders in the home: where the new pieces wait, and where the old ones go. */
  readonly staging: string;
  readonly aside: string;
  /** `fresh`: there is a new one; otherwise the old one only goes. */
  readonly pieces: readonly { readonly name: string; readonly fresh: boolean }[];
}

export const isRestoreUnfinished = (home: string): boolean => existsSync(join(home, JOURNAL));

/**
 * The journal is the moment of decision: before it the home is the old one, from then on it is the new one, because
 * whoever comes next finishes first. In place, and not by swapping the home itself: the sockets of living agents lie in it.
 */
export function swapIn(home: string, journal: Journal, checkpoint: (name: string) => void): void {
  syncFolder(join(home, journal.staging));
  checkpoint('restore:unpacked');
  writeSafely(home, JSON.stringify(journal));
  checkpoint('restore:decided');
  finishRestore(home, checkpoint);
}

/** Each step looks at what is there, so it can be broken off anywhere and begun again. The server's lock is held. */
export function finishRestore(home: string, checkpoint: (name: string) => void = () => undefined): boolean {
  if (!isRestoreUnfinished(home)) return false;
  const { staging, aside, pieces } = JSON.parse(readFileSync(join(home, JOURNAL), 'utf8')) as Journal;
  mkdirSync(join(home, aside), { recursive: true, mode: 0o700 });
  for (const { name, fresh } of pieces) {
    const [next, current, old] = [join(home, staging, name), join(home, name), join(home, aside, name)];
    // A new one that waits no more is in its place already.
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

/** Of restores that were broken off before they were decided. */
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
