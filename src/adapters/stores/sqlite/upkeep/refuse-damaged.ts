import { existsSync, statSync } from 'node:fs';
import Database from 'libsql';
import { StoreFault } from '../../../../app/ports/store.ts';
import { wasClosedCleanly } from './clean-close.ts';
import { refuseEmptyBesideLog, refuseLostEnd } from './log-anchor.ts';

/**
 * Throws StoreFault if the store is damaged. Must be called before anything is written, because a write can make a
 * damaged store unrecoverable.
 */
export function refuseDamaged(path: string): void {
  refuseEmptyBesideLog(path);
  if (!existsSync(path)) return;
  const found = look(path, 'PRAGMA quick_check(1)').replace(/\s+/g, ' ');
  if (found === 'ok') return;
  throw new StoreFault(
    `Baton's store ${path} is damaged (${found}). Baton wrote nothing to the store, and agents continue without Baton. Copy the store to a safe place, then restore a backup, or remove the store to start with an empty one. Handoff documents are separate files and stay.`,
  );
}

/**
 * Throws StoreFault if the store is damaged. If the last server closed the store cleanly, reads only the schema and the
 * end of the log, because the full check takes long.
 */
export function refuseDamagedAtStart(path: string): void {
  if (wasClosedCleanly(path)) look(path, "SELECT 'ok' AS quick_check");
  else refuseDamaged(path);
}

const isWalLost = (path: string): boolean => (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;

function look(path: string, check: string): string {
  try {
    const db = new Database(path, { readonly: true });
    try {
      const rows = db.prepare(check).all() as { quick_check: string }[];
      const found = rows[0]?.quick_check ?? 'ok';
      if (found === 'ok') refuseLostEnd(path, db);
      return found;
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof StoreFault) throw error;
    const { code, message } = error as { code?: string; message: string };
    if (code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB') return message;
    if (message.includes('disk I/O error') && isWalLost(path))
      throw new StoreFault(
        `Baton's store ${path} cannot be opened: ${path}-wal, which had the latest writes, is missing or empty. Put that file back, or restore a backup: baton restore FILE. Baton wrote nothing to the store, and agents continue without Baton.`,
      );
    throw new StoreFault(
      `Baton's store ${path} cannot be opened: ${message}. Fix the cause (permissions, a full or read-only disk), then start Baton again.`,
    );
  }
}
