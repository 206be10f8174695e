import { statSync } from 'node:fs';

/**
 * If a file changes twice within this many milliseconds, the file system may record the same time for both changes.
 * Some file systems store only whole seconds.
 */
const SETTLED_MS = 2_500;

/**
 * Returns a text that changes whenever one of the files is written, replaced, created or removed. Returns undefined if
 * one of the files changed a moment ago or cannot be examined.
 */
export function markOf(paths: readonly string[], nowMs = Date.now()): string | undefined {
  try {
    const marks = paths.map((path) => {
      const found = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (found === undefined) return '-';
      if (nowMs - Number(found.ctimeMs) < SETTLED_MS) return undefined;
      return `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`;
    });
    return marks.includes(undefined) ? undefined : marks.join('|');
  } catch {
    return undefined;
  }
}
