import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  type FSWatcher,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Overflow, Spool, Spooled } from '../../app/ports/spool.ts';
import { shellQuote } from '../../domain/shell-quote.ts';
import { addAdopted, adoptedScript, hasAdopted, saveAdopted } from './adopted-sessions.ts';
import { externalSessionScript, NO_AGENT } from './external-session-script.ts';
import { FULL, hookScript, MAX_HOOK_BYTES, ORDER, OVERFLOW, SPOOL_CAP, type SpoolCap } from './hook-script.ts';
import { readExternalSession } from './read-external-session.ts';
import { putUnwritten, readUnwritten, unwrittenTold } from './unwritten.ts';

/** The name of a hook's file: `<agent>-<sequence number>-<pid>` */
const NAME = /^(\d{1,12})-(\d{1,12})-(\d{1,12})$/;
const NUMBER = /^\d{1,12}$/;
const GIVEN = /^[0-9a-f]{8,64}$/;
/** The age at which a temporary file is removed. A file of this age belongs to a hook that died while writing. */
const STALE_MS = 60_000;
/**
 * If an agent sends no hook for this long, Baton removes the agent's counter. The agent's next hook then begins a new
 * counter with low numbers. By then Baton must have read every hook that the old counter numbered, because hooks
 * are read in the order of their numbers.
 */
const OLD_COUNTER_MS = 7 * 86_400_000;
/**
 * The number of spool files that are read before the server handles other requests. Files are read in the server's own
 * thread, because handing a small file to another thread costs four times as much as reading it.
 */
const AT_ONCE = 100;
/** The file with the number of dropped events gets this name while Baton reports that number. */
const TOLD = 'overflow-told';
/** Error codes of temporary problems of the machine. After such an error, the same hook is read again later. */
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
  /** The path of the script for external sessions. */
  readonly externalSessionScriptPath: string;
  /** The path of the script for adopted sessions. */
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
    waiting: async function* () {
      const { hooks, names } = await list(folder);
      overflowed = [FULL, OVERFLOW, TOLD].some((name) => names.includes(name));
      yield* takeAll(folder, hooks, onProblem);
    },
    remove: (hook) => rmSync(join(folder, fileName(hook)), { force: true }),
    overflow: async () => (overflowed ? await readOverflow(folder) : undefined) ?? readUnwritten(folder),
    overflowTold: (overflow) =>
      overflow.couldNotBeWritten ? unwrittenTold(folder, overflow) : rm(join(folder, TOLD), { force: true }),
    onArrival: (listener) => {
      // `watch` fails if inotify has no watches left. In this case reconcile finds the files a little later.
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
    isListening: () => hasAdopted(adoptedFolder),
    listenOnlyTo: (agentIds) => saveAdopted(adoptedFolder, agentIds),
  };
}

/** Replaces the script with a rename, so that a hook that is running continues to read the old file. */
function putScript(path: string, text: string): void {
  const next = `${path}.next`;
  rmSync(next, { force: true });
  writeFileSync(next, text, { mode: 0o700 });
  chmodSync(next, 0o700);
  renameSync(next, path);
}

/**
 * Lists waiting hooks in order. A single reading of the folder may show a hook but miss an older hook that is being
 * written at the same time. So Baton reads the folder twice: the second reading contains every hook that is older than
 * a hook of the first reading. Hooks newer than those of the first reading wait for the next call.
 */
async function list(folder: string): Promise<{ hooks: readonly Waiting[]; names: readonly string[] }> {
  const first = new Set(namesIn(folder));
  const second = namesIn(folder);
  const known = new Map<string, Waiting>();
  for (const [index, name] of second.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
    const each = examine(folder, name);
    if (each !== undefined) known.set(each.name, each);
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

/**
 * Lists the folder. If somebody removed the folder, creates it again at once, because hooks that find no folder are
 * lost.
 */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // Do not create the parent folder: a home that was moved or deleted must not seem to exist.
    mkdirSync(folder, { mode: 0o700 });
    putUnwritten(folder);
    return [];
  }
}

function examine(folder: string, name: string): Waiting | undefined {
  const parts = NAME.exec(name);
  if (parts === null && !name.startsWith('.')) return undefined;
  const found = lstatOf(join(folder, name));
  // Skip FIFOs, because reading a FIFO would block. Skip symbolic links, because a link may lead to a file outside the
  // spool.
  if (found === undefined || !found.isFile()) return undefined;
  if (parts === null) {
    if (Date.now() - Number(found.mtimeMs) > STALE_MS) rmSync(join(folder, name), { force: true });
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

function lstatOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Sorts by file time and then by the agent's own counter, because file times change only every few milliseconds. */
function inOrder(one: Waiting, other: Waiting): number {
  if (one.writtenNs !== other.writtenNs) return one.writtenNs < other.writtenNs ? -1 : 1;
  return one.n - other.n || one.agentId - other.agentId || one.pid - other.pid;
}

async function* takeAll(
  folder: string,
  waiting: readonly Waiting[],
  onProblem: (sentence: string) => void,
): AsyncGenerator<readonly Spooled[]> {
  for (let start = 0; start < waiting.length; start += AT_ONCE) {
    const taken: Spooled[] = [];
    for (const each of waiting.slice(start, start + AT_ONCE)) {
      const hook = tryTake(folder, each);
      if (isHook(hook)) {
        taken.push(hook);
        continue;
      }
      if (hook !== undefined && PASSING.has(hook.code ?? '')) {
        // If a hook cannot be read yet, stop here, because Baton must process this hook before later hooks of the same
        // agent.
        onProblem(`could not read a hook in the spool yet, will retry: ${hook.message}`);
        if (taken.length > 0) yield taken;
        return;
      }
      if (hook?.code === 'ENOENT') continue;
      onProblem(`removed a file from the spool that is not a hook: ${each.name}`);
      rmSync(join(folder, each.name), { force: true, recursive: true });
    }
    if (taken.length > 0) yield taken;
  }
}

const isHook = (taken: Spooled | NodeJS.ErrnoException | undefined): taken is Spooled =>
  taken !== undefined && !(taken instanceof Error);

function tryTake(folder: string, waiting: Waiting): Spooled | NodeJS.ErrnoException | undefined {
  try {
    return take(folder, waiting);
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

/**
 * Opens the file without following symbolic links and without blocking, because somebody may have replaced the file by
 * a link or a FIFO after `examine` had checked it.
 */
function readHook(path: string): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    return found.isFile() && found.size <= MAX_HOOK_BYTES ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}

/** Reads one file of the spool; undefined if the file is not a hook. */
function take(folder: string, waiting: Waiting): Spooled | undefined {
  if (waiting.bytes > MAX_HOOK_BYTES) return undefined;
  const bytes = readHook(join(folder, waiting.name));
  if (bytes === undefined) return undefined;
  const key = `${waiting.name}@${waiting.writtenNs}`;
  const writtenAtMs = Number(waiting.writtenNs / 1_000_000n);
  if (waiting.agentId === NO_AGENT) {
    const told = readExternalSession(bytes.toString('utf8'));
    return told && { key, writtenAtMs, ...told };
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
    writtenAtMs,
  };
}

/**
 * Returns how many events were dropped since the last report, and lets the spool accept events again. For the report,
 * gives the file with the count another name. If Baton crashes after this rename, the next server finds the renamed
 * file and reports the count under the same key, so the count is not recorded twice.
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
