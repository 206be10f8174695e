import { chmodSync, type FSWatcher, watch, writeFileSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Spool, SpooledHook } from '../../app/ports/spool.ts';
import { hookScript } from './hook-script.ts';

/** Larger payloads are not hooks; they are an accident or an attack. */
const LARGEST_HOOK_BYTES = 4n * 1_048_576n;
const NAME = /^(\d{1,12})-(\d{1,12})-(\d{1,9})$/;
/** A temporary file of a hook that died while writing. */
const STALE_MS = 60_000;

interface Waiting {
  readonly name: string;
  readonly agentId: number;
  readonly pid: number;
  readonly n: number;
  readonly writtenNs: bigint;
}

export interface SpoolOptions {
  readonly folder: string;
  readonly scriptPath: string;
  readonly onTrouble: (sentence: string) => void;
}

export function openSpool({ folder, scriptPath, onTrouble }: SpoolOptions): Spool {
  writeFileSync(scriptPath, hookScript(folder), { mode: 0o700 });
  chmodSync(scriptPath, 0o700);
  let watcher: FSWatcher | undefined;

  return {
    waiting: async () => {
      const found = (await Promise.all((await namesIn(folder)).map((name) => examine(folder, name)))).filter(
        (each) => each !== undefined,
      );
      found.sort(inOrder);
      return (await Promise.all(found.map((each) => take(folder, each, onTrouble)))).filter(
        (each) => each !== undefined,
      );
    },
    remove: (hook) => rm(join(folder, fileName(hook)), { force: true }),
    onArrival: (listener) => {
      // inotify can run out of watches; then the regular look finds the files a little later.
      try {
        watcher = watch(folder, (_event, name) => {
          if (name !== null && NAME.test(name)) listener();
        });
        watcher.on('error', (error) => onTrouble(`the spool is not watched any more: ${error.message}`));
        watcher.unref();
      } catch (error) {
        onTrouble(`the spool cannot be watched: ${(error as Error).message}`);
      }
    },
    close: () => watcher?.close(),
    hookCommand: (event) => `'${scriptPath.replaceAll("'", `'\\''`)}' ${event}`,
  };
}

/** Somebody may have removed the folder; hooks that find none are lost, so it comes back at once. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return [];
  });
}

async function examine(folder: string, name: string): Promise<Waiting | undefined> {
  const parts = NAME.exec(name);
  const found = await lstat(join(folder, name), { bigint: true }).catch(() => undefined);
  // A FIFO would never answer, and a link leads elsewhere.
  if (found === undefined || !found.isFile() || found.size > LARGEST_HOOK_BYTES) return undefined;
  if (parts === null) {
    const age = Date.now() - Number(found.mtimeMs);
    if (name.startsWith('.') && age > STALE_MS) await rm(join(folder, name), { force: true });
    return undefined;
  }
  return { name, agentId: Number(parts[1]), pid: Number(parts[2]), n: Number(parts[3]), writtenNs: found.mtimeNs };
}

/** File times tick every few milliseconds; within one tick the younger process has the higher number. */
function inOrder(one: Waiting, other: Waiting): number {
  if (one.writtenNs !== other.writtenNs) return one.writtenNs < other.writtenNs ? -1 : 1;
  return one.pid - other.pid || one.n - other.n;
}

async function take(
  folder: string,
  waiting: Waiting,
  onTrouble: (sentence: string) => void,
): Promise<SpooledHook | undefined> {
  const path = join(folder, waiting.name);
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const lineEnd = bytes.indexOf(0x0a);
  const [mark, token, event] = bytes.subarray(0, Math.max(lineEnd, 0)).toString('utf8').split(' ');
  if (mark !== 'baton1' || token === undefined || event === undefined) {
    onTrouble(`a file in the spool is not a hook and was removed: ${waiting.name}`);
    await rm(path, { force: true });
    return undefined;
  }
  const key = `${waiting.name}@${waiting.writtenNs}`;
  return {
    key,
    agentId: waiting.agentId,
    token,
    event,
    payload: parseJson(bytes.subarray(lineEnd + 1).toString('utf8')),
  };
}

const fileName = (hook: SpooledHook): string => hook.key.slice(0, hook.key.indexOf('@'));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
