import { chmodSync } from 'node:fs';
import Database from 'libsql';
import { schemaVersion } from '../migrate.ts';

/** A consistent copy in a file of its own, closed to others, while whoever has the store open goes on writing. */
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

/** Of a copy that leaves this machine, or came from elsewhere. Says whether there were any. */
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
