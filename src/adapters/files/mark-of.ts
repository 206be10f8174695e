import { statSync } from 'node:fs';

/**
 * If a file changes twice within this time, both changes may leave the same time on the file. Some file systems store
 * whole seconds only.
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
