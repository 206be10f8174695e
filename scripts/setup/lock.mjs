import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CACHE } from './paths.mjs';

const LOCK = join(CACHE, 'setup.lock');
const BREAKING = join(CACHE, 'setup.lock.breaking');
const HEARTBEAT_MS = 5_000;
/**
 * A lock without a heartbeat for this time counts as abandoned, even if a process with the owner's process id runs. The
 * system may have given the id to another process.
 */
const ABANDONED_MS = 5 * 60_000;
const BREAKING_ABANDONED_MS = 10_000;

/**
 * Allows only one writer of node_modules and dist per clone. Two `npm ci` at once would delete each other's files, and
 * two builds would read each other's half-written files.
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
 * Takes the lock by renaming a prepared folder that already contains the owner's process id. A lock without an owner
 * therefore never exists.
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
 * Renames the folder before it is emptied. Otherwise another process could take the lock while the folder is empty, and
 * the removal would delete the new lock.
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
 * Only one process at a time may check and remove a lock. Otherwise a slow process could remove a lock that another
 * process has just taken.
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
    // The lock is abandoned only if all its owners have ended and are still listed when the list is read again. The
    // second reading is needed because an owner releases the lock before it ends: since the first reading, another
    // process may have taken the lock. A process on another machine (if the folder is shared) cannot be checked. Only
    // the heartbeat shows that such a process is alive.
    return (
      owners.length > 0 &&
      owners.every((name) => isHere(name) && !isAlive(Number(name.slice('pid-'.length)))) &&
      readOwners().join() === owners.join()
    );
  } catch {
    // The owner has released the lock since the first check, so there is no abandoned lock.
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
