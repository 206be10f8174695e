import type { Store } from '../../../app/ports/store.ts';
import { createGroupCommit } from '../group-commit.ts';
import { openConnection, sql } from './connection.ts';
import { migrate } from './migrate.ts';
import { createSqliteTx } from './sqlite-tx.ts';

/** One process, one connection, WAL with FULL sync: what `write` resolved is on disk. */
export function openSqliteStore(
  path: string,
  newHostId: () => string,
  checkpoint: (name: string) => void = () => undefined,
): Store {
  const db = openConnection(path);
  migrate(db.raw);
  const hostId = rememberHostId(db, newHostId);
  const tx = createSqliteTx(db, hostId);
  const listeners: (() => void)[] = [];

  const group = createGroupCommit({
    begin: () => db.exec('BEGIN IMMEDIATE'),
    isolated: (work) => {
      db.exec('SAVEPOINT one');
      try {
        const value = work();
        db.exec('RELEASE one');
        return value;
      } catch (error) {
        db.exec('ROLLBACK TO one');
        db.exec('RELEASE one');
        throw error;
      }
    },
    commit: () => {
      checkpoint('commit:before');
      db.exec('COMMIT');
      checkpoint('commit:after');
    },
    rollback: () => {
      if (db.raw.inTransaction) db.exec('ROLLBACK');
    },
    committed: () => {
      for (const listener of listeners) listener();
    },
  });

  return {
    write: (work) => group.add(() => work(tx)),
    read: (work) => work(tx),
    onCommit: (listener) => void listeners.push(listener),
    close: () => db.close(),
  };
}

function rememberHostId(db: ReturnType<typeof openConnection>, newHostId: () => string): string {
  const known = db.first(sql.selectFrom('notes').select('value').where('key', '=', 'host_id'))?.value;
  if (known !== undefined) return known;
  const hostId = newHostId();
  db.run(sql.insertInto('notes').values({ key: 'host_id', value: hostId }));
  return hostId;
}
