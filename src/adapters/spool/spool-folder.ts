import { chmodSync, type FSWatcher, readdirSync, renameSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { constants, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Overflow, Spool, Spooled } from '../../app/ports/spool.ts';
import { shellQuote } from '../../domain/shell-quote.ts';
import { addAdopted, adoptedScript, saveAdopted } from './adopted-sessions.ts';
import { externalSessionScript, NO_AGENT } from './external-session-script.ts';
import { FULL, hookScript, MAX_HOOK_BYTES, ORDER, OVERFLOW, SPOOL_CAP, type SpoolCap } from './hook-script.ts';
import { readExternalSession } from './read-external-session.ts';
import { putUnwritten, readUnwritten, unwrittenTold } from './unwritten.ts';

/** The name of a hook's file: `<agent>-<sequence number>-<process>` */
const NAME = /^(\d{1,12})-(\d{1,12})-(\d{1,12})$/;
const NUMBER = /^\d{1,12}$/;
const GIVEN = /^[0-9a-f]{8,64}$/;
/** A temporary file older than this belongs to a hook that died while writing. */
const STALE_MS = 60_000;
/**
 * Counters unused for this long are removed. This is long enough that no hook numbered by the old counter still waits,
 * because a new counter starts low again.
 */
const OLD_COUNTER_MS = 7 * 86_400_000;
/** How many files are read at once, because a process may open only a limited number. */
const AT_ONCE = 64;
/** The file with the count of an overflow that is being reported. */
const TOLD = 'overflow-told';
/** Temporary errors of the machine, not of the file, so the hook is read again later. */
const PASSING: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'EAGAIN', 'EBUSY', 'EINTR']);

interface Waiting {
  readonly name: string;
  readonly agentId: number;
  readonly n: number;
  readonly pid: number;
  readonly writtenNs: bigint;
  readonly bytes: number;
}

export interface SpoolOptions {
  readonly folder: string;
  readonly scriptPath: string;
  /** The script for external sessions. */
  readonly externalSessionScriptPath: string;
  /** The script for adopted sessions. */
  readonly adoptedScriptPath: string;
  readonly adoptedFolder: string;
  readonly onProblem: (sentence: string) => void;
  readonly cap?: SpoolCap;
}

export function openSpool(options: SpoolOptions): Spool {
  const { folder, scriptPath, externalSessionScriptPath, adoptedFolder, onProblem, cap = SPOOL_CAP } = options;
  putScript(scriptPath, hookScript(folder, cap));
  putScript(externalSessionScriptPath, externalSessionScript(folder));
  putScript(options.adoptedScriptPath, adoptedScript(adoptedFolder, scriptPath));
  sweepCounters(folder);
  putUnwritten(folder);
  let watcher: FSWatcher | undefined;
  let overflowed = false;

  return {
    waiting: async () => {
      const { hooks, names } = await list(folder);
      overflowed = [FULL, OVERFLOW, TOLD].some((name) => names.includes(name));
      return takeAll(folder, hooks, onProblem);
    },
    remove: (hook) => rm(join(folder, fileName(hook)), { force: true }),
    overflow: async () => (overflowed ? await readOverflow(folder) : undefined) ?? readUnwritten(folder),
    overflowTold: (overflow) =>
      overflow.couldNotBeWritten ? unwrittenTold(folder, overflow) : rm(join(folder, TOLD), { force: true }),
    onArrival: (listener) => {
      // inotify can run out of watches; then reconcile finds the files a little later.
      try {
        watcher = watch(folder, (_event, name) => {
          if (name !== null && NAME.test(name)) listener();
        });
        watcher.on('error', (error) => onProblem(`stopped watching the spool: ${error.message}`));
        watcher.unref();
      } catch (error) {
        onProblem(`could not watch the spool: ${(error as Error).message}`);
      }
    },
    close: () => watcher?.close(),
    hookCommand: (event) => `exec ${shellQuote(scriptPath)} ${event}`,
    listenTo: (adopted) => addAdopted(adoptedFolder, adopted),
    listenOnlyTo: (agentIds) => saveAdopted(adoptedFolder, agentIds),
  };
}

/** Replaces the script by a rename, so that a hook that is running continues to read the old file. */
function putScript(path: string, text: string): void {
  const next = `${path}.next`;
  rmSync(next, { force: true });
  writeFileSync(next, text, { mode: 0o700 });
  chmodSync(next, 0o700);
  renameSync(next, path);
}

/**
 * Lists waiting hooks in order. A folder that changes while it is read may show a hook and hide an older one. So it is
 * read twice, because the second reading has everything older than the newest hook of the first.
 */
async function list(folder: string): Promise<{ hooks: readonly Waiting[]; names: readonly string[] }> {
  const first = new Set(await namesIn(folder));
  const second = await namesIn(folder);
  const known = new Map<string, Waiting>();
  for (let start = 0; start < second.length; start += AT_ONCE) {
    const some = await Promise.all(second.slice(start, start + AT_ONCE).map((name) => examine(folder, name)));
    for (const each of some) if (each !== undefined) known.set(each.name, each);
  }
  const newest = new Map<number, Waiting>();
  for (const each of known.values()) {
    const before = newest.get(each.agentId);
    if (first.has(each.name) && (before === undefined || inOrder(before, each) < 0)) newest.set(each.agentId, each);
  }
  const hooks = [...known.values()].filter((each) => {
    const last = newest.get(each.agentId);
    return last !== undefined && inOrder(each, last) <= 0;
  });
  return { hooks: hooks.sort(inOrder), names: second };
}

/** Lists the folder. If somebody removed it, creates it again at once, because hooks that find no folder are lost. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    // Do not create the home above it, because a home that was moved or deleted must not seem to exist.
    await mkdir(folder, { mode: 0o700 });
    putUnwritten(folder);
    return [];
  });
}

async function examine(folder: string, name: string): Promise<Waiting | undefined> {
  const parts = NAME.exec(name);
  if (parts === null && !name.startsWith('.')) return undefined;
  const found = await lstat(join(folder, name), { bigint: true }).catch(() => undefined);
  // Skip FIFOs, which would block, and links, which lead elsewhere.
  if (found === undefined || !found.isFile()) return undefined;
  if (parts === null) {
    if (Date.now() - Number(found.mtimeMs) > STALE_MS) await rm(join(folder, name), { force: true });
    return undefined;
  }
  return {
    name,
    agentId: Number(parts[1]),
    n: Number(parts[2]),
    pid: Number(parts[3]),
    writtenNs: found.mtimeNs,
    bytes: Number(found.size),
  };
}

/** Sorts by file time and then by the agent's own counter, because file times change only every few milliseconds. */
function inOrder(one: Waiting, other: Waiting): number {
  if (one.writtenNs !== other.writtenNs) return one.writtenNs < other.writtenNs ? -1 : 1;
  return one.n - other.n || one.agentId - other.agentId || one.pid - other.pid;
}

async function takeAll(
  folder: string,
  waiting: readonly Waiting[],
  onProblem: (sentence: string) => void,
): Promise<readonly Spooled[]> {
  const taken: Spooled[] = [];
  for (let start = 0; start < waiting.length; start += AT_ONCE) {
    const some = await Promise.all(
      waiting
        .slice(start, start + AT_ONCE)
        .map((each) => take(folder, each).catch((error: NodeJS.ErrnoException) => error)),
    );
    for (const [index, each] of some.entries()) {
      if (isHook(each)) {
        taken.push(each);
        continue;
      }
      if (each !== undefined && PASSING.has(each.code ?? '')) {
        // Stop here, because otherwise the agent's later hooks would be processed before this one.
        onProblem(`could not read a hook in the spool yet, will retry: ${each.message}`);
        return taken;
      }
      if (each?.code === 'ENOENT') continue;
      const name = waiting[start + index]?.name ?? '';
      onProblem(`removed a file from the spool that is not a hook: ${name}`);
      await rm(join(folder, name), { force: true, recursive: true });
    }
  }
  return taken;
}

const isHook = (taken: Spooled | NodeJS.ErrnoException | undefined): taken is Spooled =>
  taken !== undefined && !(taken instanceof Error);

/** Follows no link and does not block, because the file may have been replaced by a link or a FIFO since `examine`. */
async function readHook(path: string): Promise<Buffer | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= MAX_HOOK_BYTES ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
}

/** Returns undefined if the file is not a hook. */
async function take(folder: string, waiting: Waiting): Promise<Spooled | undefined> {
  if (waiting.bytes > MAX_HOOK_BYTES) return undefined;
  const bytes = await readHook(join(folder, waiting.name));
  if (bytes === undefined) return undefined;
  const key = `${waiting.name}@${waiting.writtenNs}`;
  if (waiting.agentId === NO_AGENT) {
    const told = readExternalSession(bytes.toString('utf8'));
    return told && { key, writtenAtMs: Number(waiting.writtenNs / 1_000_000n), ...told };
  }
  const lineEnd = bytes.indexOf(0x0a);
  const [mark, token, event, clientPid, given] = bytes.subarray(0, Math.max(lineEnd, 0)).toString('utf8').split(' ');
  if (mark !== 'baton1' || token === undefined || event === undefined) return undefined;
  return {
    key,
    agentId: waiting.agentId,
    token,
    event,
    clientPid: NUMBER.test(clientPid ?? '') ? Number(clientPid) : null,
    given: GIVEN.test(given ?? '') ? (given ?? null) : null,
    payload: parseJson(bytes.subarray(lineEnd + 1).toString('utf8')),
  };
}

/**
 * Reopens the spool, then counts the dropped events. Renames the file with the count first. If Baton crashes before the
 * file is removed, the same count is found again under the same key, and later overflows get another key.
 */
async function readOverflow(folder: string): Promise<Overflow | undefined> {
  await rm(join(folder, FULL), { force: true });
  const told = join(folder, TOLD);
  let found = await stat(told, { bigint: true }).catch(() => undefined);
  if (found === undefined) {
    const set = await rename(join(folder, OVERFLOW), told).then(
      () => true,
      () => false,
    );
    found = set ? await stat(told, { bigint: true }).catch(() => undefined) : undefined;
  }
  return found === undefined ? undefined : { key: `overflow@${found.ino}-${found.mtimeNs}`, count: Number(found.size) };
}

function sweepCounters(folder: string): void {
  const before = Date.now() - OLD_COUNTER_MS;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(ORDER)) continue;
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    if (found !== undefined && found.mtimeMs < before) rmSync(join(folder, name), { force: true });
  }
}

const fileName = (hook: Pick<Spooled, 'key'>): string => hook.key.slice(0, hook.key.indexOf('@'));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
