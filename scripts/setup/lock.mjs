import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CACHE } from './paths.mjs';

const LOCK = join(CACHE, 'setup.lock');
const BREAKING = join(CACHE, 'setup.lock.breaking');
const HEARTBEAT_MS = 5_000;
/**
 * A lock whose heartbeat is older than this counts as abandoned, even if a process with the owner's process id runs.
 * The system reuses process ids, so that process is not necessarily the owner.
 */
const ABANDONED_MS = 5 * 60_000;
const BREAKING_ABANDONED_MS = 10_000;

/**
 * Allows only one writer of node_modules and dist per clone, because two `npm ci` at once would delete each other's
 * files, and two builds would read each other's half-written files.
 *
 * @template T
 * @param {(lock: { addProcess: (pid: number) => void }) => Promise<T>} work
 * @param {number} [waitMs] between two tries
 * @returns {Promise<T>}
 */
export async function withLock(work, waitMs = 200) {
  await acquire(waitMs);
  const heartbeat = setInterval(touch, HEARTBEAT_MS);
  // Keep the process alive after Ctrl-C until the child process has ended and the lock is released.
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    return await work({ addProcess });
  } finally {
    clearInterval(heartbeat);
    removeLock();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    if (interrupted) process.exit(130);
  }
}

/** @param {number} waitMs */
async function acquire(waitMs) {
  mkdirSync(CACHE, { recursive: true });
  let told = false;
  while (!tryToTake()) {
    if (breakIfStale()) continue;
    if (!told) console.log('Another set-up is at work in this folder; waiting for it…');
    told = true;
    await sleep(waitMs);
  }
}

/**
 * Tries to take the lock. Writes this process's id into a new folder, and then renames the folder to the lock's name.
 * The lock therefore contains the id of its owner from the first moment.
 */
function tryToTake() {
  const mine = `${LOCK}.${process.pid}`;
  rmSync(mine, { recursive: true, force: true });
  mkdirSync(mine);
  writeFileSync(join(mine, `pid-${process.pid}`), hostname());
  try {
    renameSync(mine, LOCK);
    return true;
  } catch (error) {
    rmSync(mine, { recursive: true, force: true });
    const code = /** @type {NodeJS.ErrnoException} */ (error).code;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Renames the folder of the lock, then deletes the renamed folder. Without the rename, another process could take the
 * lock as soon as the folder is empty, and this function would then delete the lock of that process.
 */
function removeLock() {
  const gone = `${LOCK}.${process.pid}.gone`;
  renameSync(LOCK, gone);
  rmSync(gone, { recursive: true, force: true });
}

/**
 * Adds a child process (`npm ci`) to the lock. If the setup is killed, the lock stays valid until the child process has
 * ended.
 */
function addProcess(/** @type {number} */ pid) {
  writeFileSync(join(LOCK, `pid-${pid}`), hostname());
}

function touch() {
  const now = new Date();
  utimesSync(LOCK, now, now);
}

/**
 * Removes the lock if it is abandoned. Only one process at a time may check and remove a lock, because a slow process
 * could otherwise remove a lock that another process has just taken.
 */
function breakIfStale() {
  if (!isStale()) return false;
  try {
    mkdirSync(BREAKING);
  } catch {
    if (ageMs(BREAKING) > BREAKING_ABANDONED_MS) rmSync(BREAKING, { recursive: true, force: true });
    return false;
  }
  try {
    if (!isStale()) return false;
    removeLock();
    return true;
  } finally {
    rmSync(BREAKING, { recursive: true, force: true });
  }
}

function isStale() {
  try {
    if (ageMs(LOCK) > ABANDONED_MS) return true;
    const owners = readOwners();
    // Read the lock's owners twice, because an owner can release the lock and end after the first reading. The two
    // lists then differ, and the lock does not count as abandoned. A process on another machine cannot be checked here.
    // Only the heartbeat of the lock shows that such a process is alive.
    return (
      owners.length > 0 &&
      owners.every((name) => isHere(name) && !isAlive(Number(name.slice('pid-'.length)))) &&
      readOwners().join() === owners.join()
    );
  } catch {
    // The owner released the lock after the first check, so there is no abandoned lock to remove.
    return false;
  }
}

const readOwners = () =>
  readdirSync(LOCK)
    .filter((name) => name.startsWith('pid-'))
    .sort();

/** @param {string} name */
function isHere(name) {
  return readFileSync(join(LOCK, name), 'utf8') === hostname();
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** @param {string} path */
function ageMs(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
