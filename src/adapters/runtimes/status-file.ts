import { type BigIntStats, closeSync, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ClientStatus } from '../../app/ports/client-control.ts';

/**
 * The status that a client writes to `<folder>/<pid>.json` while it runs. The format is not documented (measured with
 * Claude Code 2.1.325). A killed client leaves its file behind, and another process may get the same pid. So
 * `procStart` must equal the start time of the process.
 */
const StatusFile = z.looseObject({
  pid: z.number(),
  procStart: z.string(),
  status: z.enum(['idle', 'busy', 'waiting', 'shell']),
  waitingFor: z.string().nullish(),
});

function statusIn(text: string, pid: number, began: string): ClientStatus | undefined {
  const parsed = StatusFile.safeParse(jsonOf(text));
  if (!parsed.success || parsed.data.pid !== pid || parsed.data.procStart !== began) return undefined;
  const { status, waitingFor } = parsed.data;
  return waitingFor ? { status, waitingFor } : { status };
}

/** The maximum number of remembered processes, which is more than the agents that one server watches. */
const MAX_KNOWN = 2_000;

interface Known {
  readonly folder: string;
  readonly version: string;
  /**
   * The metadata that the file had when its content was read. While the metadata stays the same, Baton does not read
   * the file again. Undefined if the file may change without a change of its metadata.
   */
  readonly settledAs: string | undefined;
  readonly status: ClientStatus;
  /** The time at which the reader first read the current version of the status file. */
  readonly sinceMs: number;
}

/**
 * Returns a reader of the status file. The reader remembers the folder, because finding the folder is slow. The reader
 * skips a file whose metadata shows that the content is unchanged. `forMs` is the time since the reader first read the
 * current version of the file.
 */
export function createStatusReader(
  folderOf: (pid: number) => string,
  nowMs: () => number = () => performance.now(),
): (pid: number) => ClientStatus | undefined {
  const known = new Map<string, Known>();
  const processStart = createStartReader();
  return (pid) => {
    const began = processStart(pid);
    if (began === undefined) return undefined;
    const key = `${pid}/${began}`;
    const before = known.get(key);
    const read = (folder: string): ClientStatus | undefined => {
      const path = join(folder, `${pid}.json`);
      const last = known.get(key);
      const same = last?.folder === folder ? last : undefined;
      const isSettled = same?.settledAs !== undefined && same.settledAs === metadataAt(path);
      const file = isSettled ? undefined : readVersion(path);
      if (same !== undefined && (isSettled || same.version === file?.version)) {
        if (file !== undefined) known.set(key, { ...same, settledAs: file.settledAs });
        return { ...same.status, forMs: nowMs() - same.sinceMs };
      }
      known.delete(key);
      const status = file && statusIn(file.text, pid, began);
      if (file === undefined || status === undefined) return undefined;
      if (known.size >= MAX_KNOWN) known.clear();
      const { version, settledAs } = file;
      known.set(key, { folder, version, settledAs, status, sinceMs: nowMs() });
      return { ...status, forMs: 0 };
    };
    return (before && read(before.folder)) ?? read(folderOf(pid));
  };
}

interface FileVersion {
  readonly text: string;
  /** The version of the file. The version changes with every write, even if the write leaves the content as it was. */
  readonly version: string;
  /**
   * The metadata of the file. Undefined if the file changed so recently that another write could leave the metadata
   * unchanged.
   */
  readonly settledAs: string | undefined;
}

/**
 * If a file is at least this old, equal metadata shows that the file is unchanged. Two writes within a few milliseconds
 * may have the same time. The time of the last change (ctime) counts, because a program can set the other times.
 */
const SETTLED_MS = 1_000;

const metadataOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string => `${ino}/${size}/${mtimeNs}/${ctimeNs}`;

function metadataAt(path: string): string | undefined {
  try {
    return metadataOf(statSync(path, { bigint: true }));
  } catch {
    return undefined;
  }
}

function readVersion(path: string): FileVersion | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const found = fstatSync(file, { bigint: true });
    const text = readFileSync(file, 'utf8');
    const isSettled = Date.now() - Number(found.ctimeMs) > SETTLED_MS;
    const version = `${found.ino}/${found.mtimeNs}/${text}`;
    return { text, version, settledAs: isSettled ? metadataOf(found) : undefined };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Returns the variables that a process was started with; empty if they cannot be read. */
export function environmentOf(pid: number): ReadonlyMap<string, string> {
  const text = readText(`/proc/${pid}/environ`) ?? '';
  return new Map(
    text.split('\0').flatMap((entry) => {
      const at = entry.indexOf('=');
      return at < 1 ? [] : [[entry.slice(0, at), entry.slice(at + 1)] as const];
    }),
  );
}

/**
 * Returns a reader of the start time of a process, in ticks since boot (Linux only). The reader returns undefined if
 * the process does not run. A process with a reused pid has a new folder /proc/PID, so the reader reads the start
 * time only once for each folder.
 */
function createStartReader(): (pid: number) => string | undefined {
  const known = new Map<number, { readonly folder: string; readonly start: string | undefined }>();
  return (pid) => {
    const found = statOf(`/proc/${pid}`);
    if (found === undefined) return undefined;
    const folder = `${found.ino}/${found.ctimeMs}`;
    const before = known.get(pid);
    if (before?.folder === folder) return before.start;
    const stat = readText(`/proc/${pid}/stat`);
    // Split only the text after the name of the command, because the name may contain spaces and parentheses.
    const start = stat?.slice(stat.lastIndexOf(')') + 2).split(' ', 20)[19];
    if (known.size >= MAX_KNOWN) known.clear();
    // Do not remember a failed read, because the cause may be temporary, for example too many open files.
    if (start !== undefined) known.set(pid, { folder, start });
    return start;
  };
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Parses the status file; undefined for a half-written file. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
