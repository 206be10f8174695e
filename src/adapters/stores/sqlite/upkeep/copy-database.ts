import { chmodSync } from 'node:fs';
import Database from 'libsql';
import { schemaVersion } from '../migrate.ts';

/**
 * Makes a consistent copy of the database, even while a running server writes to the database. Only the owner can read
 * the copy.
 */
export function copyDatabase(from: string, to: string): void {
  const db = new Database(from, { readonly: true });
  try {
    db.prepare('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
  chmodSync(to, 0o600);
}

export interface DatabaseFacts {
  readonly schema: number;
  readonly hostId: string | null;
}

export function databaseFacts(path: string): DatabaseFacts {
  const db = new Database(path, { readonly: true });
  try {
    const rows = db.prepare("SELECT value FROM notes WHERE key = 'host_id'").all() as { value: string }[];
    return { schema: schemaVersion(db), hostId: rows[0]?.value ?? null };
  } finally {
    db.close();
  }
}

/**
 * Logs out all browser sessions in a copy of the store. Must be called before the copy leaves this machine, or after
 * the copy came from another machine. Returns true if any session was logged in.
 */
export function forgetPageSessions(path: string): boolean {
  const db = new Database(path);
  try {
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE name = 'page_sessions'").all();
    if (tables.length === 0) return false;
    const { changes } = db.prepare('DELETE FROM page_sessions').run();
    db.exec('VACUUM');
    return changes > 0;
  } finally {
    db.close();
  }
}
