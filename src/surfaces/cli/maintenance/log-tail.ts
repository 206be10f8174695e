import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The maximum number of bytes to read, so that a long log does not fill the memory. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_LINE = 64 * 1024;

/**
 * Returns the last lines of the log. If the log has too few lines, the result begins with the last lines of the rotated
 * log. Returns undefined if there is no log.
 */
export function lastLines(path: string, count: number): readonly string[] | undefined {
  const current = linesIn(path);
  if (current === undefined) return undefined;
  const missing = count - current.length;
  const before = missing > 0 ? (linesIn(`${path}.1`) ?? []).slice(-missing) : [];
  return [...before, ...(count > 0 ? current.slice(-count) : [])];
}

function linesIn(path: string): readonly string[] | undefined {
  return withFile(path, (file) => {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - MAX_BYTES);
    const lines = read(file, from, size).split('\n').filter(Boolean).map(shortened);
    // If the read began in the middle of the log, drop the first line, because its beginning may be missing.
    return from > 0 ? lines.slice(1) : lines;
  });
}

/**
 * Opens the log for following. The function `next` returns the lines that were written since the last call. If the log
 * was rotated, the old file is read to its end before the new file.
 */
export function openTail(path: string): { next(): readonly string[] } {
  let place = withFile(path, (file) => ({ inode: fstatSync(file).ino, at: fstatSync(file).size }));
  let rest = '';
  const take = (file: number, from: number): number => {
    const { size } = fstatSync(file);
    rest += read(file, size - from > MAX_BYTES ? size - MAX_BYTES : from, size);
    return size;
  };
  return {
    next: () => {
      // Get the inode and the content through one open file. If the log were opened twice and rotated in between, the
      // old offset would be applied to the new file.
      place =
        withFile(path, (file) => {
          const inode = fstatSync(file).ino;
          const isSame = place === undefined || place.inode === inode;
          if (!isSame) withFile(`${path}.1`, (old) => take(old, place?.at ?? 0));
          return { inode, at: take(file, isSame ? (place?.at ?? 0) : 0) };
        }) ?? place;
      const lines = rest.split('\n');
      rest = (lines.pop() ?? '').slice(0, MAX_LINE);
      return lines.filter(Boolean).map(shortened);
    },
  };
}

const shortened = (line: string): string => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line);

function read(file: number, from: number, to: number): string {
  const bytes = Buffer.alloc(Math.max(0, to - from));
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from)).toString('utf8');
}

function withFile<T>(path: string, work: (file: number) => T): T | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}
