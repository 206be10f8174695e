import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

/**
 * After a clean close this file contains the size and time of the database. While both still match, the database has
 * not been written to since. Then the next start can skip the check of every page, which takes seconds after years of
 * use.
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

/** Call before the first write, because a server that is killed must leave no mark. */
export const forgetCleanClose = (database: string): void => rmSync(markPath(database), { force: true });

export function wasClosedCleanly(database: string): boolean {
  try {
    return readFileSync(markPath(database), 'utf8') === stampOf(database) && !hasWal(database);
  } catch {
    return false;
  }
}

const hasWal = (database: string): boolean => (statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
