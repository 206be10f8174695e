import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ClientStatus } from '../../app/ports/agent-runtime.ts';

/**
 * A client writes its own status to `<folder>/<pid>.json`, which exists while the client runs. This is undocumented; we
 * measured it with Claude Code 2.1.325 in every situation in which its screen was misread. A killed client does not
 * delete its file, and another process may get its pid, so `procStart` must equal the start time of this process.
 */
const StatusFile = z.looseObject({
  pid: z.number(),
  procStart: z.string(),
  status: z.enum(['idle', 'busy', 'waiting', 'shell']),
  waitingFor: z.string().nullish(),
});

export async function readStatusFile(folder: string, pid: number): Promise<ClientStatus | undefined> {
  const [text, began] = await Promise.all([readText(join(folder, `${pid}.json`)), procStart(pid)]);
  const parsed = StatusFile.safeParse(text === undefined ? undefined : jsonOf(text));
  if (!parsed.success || began === undefined) return undefined;
  const { status, waitingFor } = parsed.data;
  if (parsed.data.pid !== pid || parsed.data.procStart !== began) return undefined;
  return waitingFor ? { status, waitingFor } : { status };
}

/** The variables that a process was started with; empty if they cannot be read. */
export async function environmentOf(pid: number): Promise<ReadonlyMap<string, string>> {
  const text = (await readText(`/proc/${pid}/environ`)) ?? '';
  return new Map(
    text.split('\0').flatMap((entry) => {
      const at = entry.indexOf('=');
      return at < 1 ? [] : [[entry.slice(0, at), entry.slice(at + 1)] as const];
    }),
  );
}

/**
 * Field 22 of /proc/PID/stat: the start time in ticks since boot, on Linux only. The command name earlier in the line
 * may contain spaces and parentheses.
 */
async function procStart(pid: number): Promise<string | undefined> {
  const stat = await readText(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

const readText = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);

/** Returns undefined for a half-written file. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
