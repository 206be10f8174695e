import { type Store, StoreFault, type Tx } from '../../../app/ports/store.ts';
import { createGroupCommit } from '../group-commit.ts';
import { createListeners } from '../listeners.ts';
import { openConnection, sql } from './connection.ts';
import { fillPackageColumns } from './fill-package-columns.ts';
import { migrate } from './migrate.ts';
import { createSqliteTx, type EventMark, newestEvent } from './sqlite-tx.ts';
import { backupBeforeMigration } from './upkeep/backup-before-migration.ts';
import { forgetCleanClose, markCleanClose } from './upkeep/clean-close.ts';
import { forgetEndOfNothing, openAnchor } from './upkeep/log-anchor.ts';
import { refuseDamagedAtStart } from './upkeep/refuse-damaged.ts';

/**
 * Opens the store with one connection, in WAL mode and with FULL sync, so that data is on disk when `write` resolves.
 */
export function openSqliteStore(
  path: string,
  newHostId: () => string,
  checkpoint: (name: string) => void = () => undefined,
): Store {
  refuseDamagedAtStart(path);
  forgetCleanClose(path);
  forgetEndOfNothing(path);
  backupBeforeMigration(path);
  const db = openConnection(path);
  migrate(db.raw);
  fillPackageColumns(db);
  const hostId = rememberHostId(db, newHostId);
  const newest = newestEvent(db);
  const tx = createSqliteTx(db, hostId, newest);
  const anchor = openAnchor(path);
  const [before, after] = [createListeners<Tx>(), createListeners<void>()];

  const noteEnd = (last: EventMark | undefined): void => {
    if (last !== undefined) anchor.write(last);
  };
  noteEnd(newest('last'));
  let last: EventMark | undefined;

  const group = createGroupCommit({
    begin: () => {
      told(() => db.exec('BEGIN IMMEDIATE'));
      db.memory.begin(db.dataVersion());
    },
    isolated: (work) => {
      db.exec('SAVEPOINT one');
      try {
        const value = told(work);
        db.exec('RELEASE one');
        return value;
      } catch (error) {
        db.memory.forget();
        db.exec('ROLLBACK TO one');
        db.exec('RELEASE one');
        throw error;
      }
    },
    commit: () => {
      checkpoint('commit:before');
      last = newest('last');
      db.memory.end();
      told(() => db.exec('COMMIT'));
      checkpoint('commit:after');
    },
    rollback: () => {
      db.memory.forget();
      db.memory.end();
      if (db.isOpen && db.raw.inTransaction) db.exec('ROLLBACK');
    },
    last: () => before.callAll(tx),
    committed: () => {
      noteEnd(last);
      after.callAll();
    },
  });

  return {
    write: (work) => group.add(() => work(tx)),
    read: (work) => {
      // If code inside a write transaction calls `read`, do not switch the cache on or off: the transaction has already
      // switched it on and will switch it off.
      if (db.memory.isOn || !db.isOpen) return work(tx);
      db.memory.begin(db.dataVersion());
      try {
        return work(tx);
      } finally {
        db.memory.end();
      }
    },
    onCommit: after.add,
    beforeCommit: before.add,
    close: () => {
      anchor.close();
      const isWhole = isCheckpointed(db);
      db.close();
      if (isWhole) markCleanClose(path);
    },
  };
}

/**
 * Moves the write-ahead log into the database file. Returns false if a reader or a disk error prevents this; in this
 * case the next start checks the whole store.
 */
function isCheckpointed({ raw, isOpen }: ReturnType<typeof openConnection>): boolean {
  if (!isOpen) return false;
  try {
    const [found] = raw.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all() as { busy: number }[];
    return found?.busy === 0;
  } catch {
    return false;
  }
}

/**
 * Matches errors that the caller did not cause: the database is locked, full, read-only or damaged. Such an error
 * ends when its cause is fixed.
 */
const OUT_OF_ORDER = /^SQLITE_(BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB)/;

function told<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    throw typeof code === 'string' && OUT_OF_ORDER.test(code) ? new StoreFault(message) : error;
  }
}

function rememberHostId(db: ReturnType<typeof openConnection>, newHostId: () => string): string {
  const known = db.first(sql.selectFrom('notes').select('value').where('key', '=', 'host_id'))?.value;
  if (known !== undefined) return known;
  const hostId = newHostId();
  db.run(sql.insertInto('notes').values({ key: 'host_id', value: hostId }));
  return hostId;
}
