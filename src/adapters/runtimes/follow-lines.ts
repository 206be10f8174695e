import { open, stat } from 'node:fs/promises';
import type { Period } from '../../app/ports/agent-runtime.ts';

/**
 * The maximum number of bytes that one call reads, so that a transcript of many megabytes does not block the server.
 */
const BYTES_AT_ONCE = 8 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** The maximum length of a line that is read. A longer line may contain an image, but never token counts. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
/**
 * The maximum number of files whose totals are kept. This number is larger than the number of agents that one server
 * watches.
 */
const MAX_KNOWN = 4_000;

interface Followed<Total> {
  readonly version: string;
  readonly ino: number;
  /** The total includes all lines before this position in the file. */
  readonly end: number;
  /** False if the last call did not reach the end of the file. */
  readonly isRead: boolean;
  readonly total: Total;
}

export interface LinesRead<Total> {
  /** The total of all lines that were read; undefined if the file has not been found yet. */
  readonly total: Total | undefined;
  /** False if a part of the file is still unread. Another call then reads more, even if the file has not grown. */
  readonly isComplete: boolean;
}

interface Read {
  readonly end: number;
  readonly isRead: boolean;
}

/**
 * Returns a function that adds the complete lines of a growing file to a total. Each call continues where the last one
 * ended, and reads a limited number of bytes. If the file was replaced or truncated, the function starts over at the
 * beginning of the file.
 */
export function followLines<Total>(
  add: (total: Total, line: string) => void,
  bytesAtOnce = BYTES_AT_ONCE,
): (path: string, key: string, begin: () => Total) => Promise<LinesRead<Total>> {
  const known = new Map<string, Followed<Total>>();
  return async (path, key, begin) => {
    const found = await stat(path).catch(() => undefined);
    const before = known.get(key);
    if (found === undefined) return { total: before?.total, isComplete: true };
    const { ino, size, mtimeMs } = found;
    const version = `${ino}/${size}/${mtimeMs}`;
    if (before?.version === version && before.isRead) return { total: before.total, isComplete: true };
    const isSame = before !== undefined && before.ino === ino && size >= before.end;
    const { end: from, total } = isSame ? before : { end: 0, total: begin() };
    const read = await readLines(path, { from, size, bytesAtOnce }, (line) => add(total, line));
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, { version, ino, total, ...read });
    // If nothing could be read, report the file as complete, so that the caller does not wait for more lines.
    return { total, isComplete: read.isRead || read.end === from };
  };
}

/** Reads complete lines. The last line of a file may be half-written, so it is left for the next call. */
async function readLines(
  path: string,
  { from, size, bytesAtOnce }: { readonly from: number; readonly size: number; readonly bytesAtOnce: number },
  take: (line: string) => void,
): Promise<Read> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return { end: from, isRead: false };
  try {
    let end = from;
    let at = from;
    let rest = Buffer.alloc(0);
    while (at < size && (at - from < bytesAtOnce || end === from)) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      const last = bytes.lastIndexOf(0x0a);
      if (last >= 0) for (const line of bytes.toString('utf8', 0, last).split('\n')) take(line);
      end += last + 1;
      rest = bytes.subarray(last + 1);
      if (rest.length > MAX_LINE_BYTES) {
        end += rest.length;
        rest = Buffer.alloc(0);
      }
    }
    return { end, isRead: at >= size };
  } finally {
    await file.close();
  }
}

/** Returns whether a time is within a period. */
export function isIn({ since, until }: Period, time: string): boolean {
  const at = Date.parse(time);
  return at >= Date.parse(since) && (until === null || at < Date.parse(until));
}

export const keyOf = ({ since, until }: Period): string => `${since} ${until ?? ''}`;
