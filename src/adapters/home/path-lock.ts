import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HomeFault } from './home-fault.ts';
import { layout } from './open-home.ts';
import { takeServerLock } from './server-lock.ts';

/**
 * Takes a second lock outside of the home. The name of its file is a hash of the home's path. If the home of a running
 * server is moved or deleted, the second lock keeps another server from starting at the old path. If other users can
 * write to the folder of the second lock, Baton takes only the lock inside the home.
 */
export function takePathLock(homePath: string, parent = tmpdir()): () => void {
  const folder = join(parent, `baton-${process.getuid?.() ?? 'user'}`);
  if (!isOurs(folder)) return () => undefined;
  const path = join(folder, `${createHash('sha256').update(homePath).digest('hex').slice(0, 24)}.lock`);
  try {
    const unlock = takeServerLock(path);
    return () => {
      rmSync(path, { force: true });
      unlock();
      removeIfEmpty(folder);
    };
  } catch (error) {
    if (!(error instanceof HomeFault)) return () => undefined;
    if (existsSync(layout(homePath).lock)) throw error;
    throw new HomeFault(
      `Another Baton still runs on ${homePath}, although that folder was moved or deleted. Stop that Baton first, or set BATON_HOME to another folder.`,
    );
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Keep a folder that is not empty, because another Baton of this user has a lock in it.
  }
}

/**
 * Creates the folder if it does not exist, and returns whether only this user can write to it, because another user may
 * have created a folder of this name earlier.
 */
function isOurs(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
  } catch {
    return false;
  }
}
