import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

/**
 * The name of a file that Baton writes at a clean close, with the size, time and inode of the database. If all three
 * match at the next start, no program has written to the database, and Baton skips the check of the whole database.
 */
const markPath = (database: string): string => `${database}.closed`;

function stampOf(database: string): string | undefined {
  const found = statSync(database, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.size} ${found.mtimeNs} ${found.ino}\n`;
}

export function markCleanClose(database: string): void {
  const stamp = stampOf(database);
  if (stamp !== undefined) writeFileSync(markPath(database), stamp, { mode: 0o600 });
}

/**
 * Removes the mark of a clean close. Must be called before the first write, so that a killed server leaves no such
 * mark.
 */
export const forgetCleanClose = (database: string): void => rmSync(markPath(database), { force: true });

export function wasClosedCleanly(database: string): boolean {
  try {
    return readFileSync(markPath(database), 'utf8') === stampOf(database) && !hasWal(database);
  } catch {
    return false;
  }
}

const hasWal = (database: string): boolean => (statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
