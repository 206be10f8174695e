import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import type Database from 'libsql';
import { StoreFault } from '../../../../app/ports/store.ts';

/**
 * The last event of the log, in a file beside the database. The file is needed because a database that has lost its
 * latest events still looks intact.
 */
interface Anchor {
  readonly seq: number;
  readonly hash: string;
}

const anchorPath = (database: string): string => `${database}.end`;

export interface AnchorFile {
  /**
   * Writes the anchor. Must be called only after a commit: the anchor may be older than the log but never newer, so it
   * never names an event that is not on disk.
   */
  write(anchor: Anchor): void;
  close(): void;
}

export function openAnchor(database: string): AnchorFile {
  const file = openSync(anchorPath(database), existsSync(anchorPath(database)) ? 'r+' : 'w+', 0o600);
  let written = 0;
  return {
    write: ({ seq, hash }) => {
      if (seq === written) return;
      // Write the number with a fixed width, because a shorter number would leave digits of an earlier, longer number
      // behind.
      writeSync(file, `${String(seq).padStart(15, '0')} ${hash}\n`, 0);
      written = seq;
    },
    close: () => closeSync(file),
  };
}

function readAnchor(database: string): Anchor | undefined {
  if (!existsSync(anchorPath(database))) return undefined;
  const [, seq, hash] =
    /^(\d{15}) ([0-9a-f]{64})\n/.exec(readFileSync(anchorPath(database), 'utf8').slice(0, 100)) ?? [];
  return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash };
}

/** Removes the anchor if the database is gone, because an operator who deleted the whole store wants to start fresh. */
export function forgetEndOfNothing(database: string): void {
  if (!existsSync(database)) rmSync(anchorPath(database), { force: true });
}

/** Describes which events the log has lost; undefined if the log reaches at least as far as the anchor. */
export function lostEnd(database: string, db: Database.Database): string | undefined {
  const anchor = readAnchor(database);
  if (anchor === undefined) return undefined;
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE name = 'events'").all();
  const rows =
    tables.length === 0
      ? []
      : (db.prepare('SELECT hash FROM events WHERE seq = ?').all(anchor.seq) as { hash: string }[]);
  if (rows[0]?.hash === anchor.hash) return undefined;
  if (rows[0] !== undefined) return `event ${anchor.seq} is not the event that was written`;
  const [last] =
    tables.length === 0 ? [] : (db.prepare('SELECT max(seq) AS seq FROM events').all() as { seq: number | null }[]);
  return `its log ends at event ${last?.seq ?? 0}, but had reached event ${anchor.seq}`;
}

/**
 * Throws StoreFault if committed events are gone, because new agents and runs would get the numbers of the lost ones.
 */
export function refuseLostEnd(database: string, db: Database.Database): void {
  const lost = lostEnd(database, db);
  if (lost !== undefined)
    throw new StoreFault(
      `Baton's store ${database} has lost its latest writes: ${lost}. Its file ${database}-wal is missing or truncated. Baton wrote nothing to the store, and agents continue without Baton. Put that file back, or restore a backup: baton restore FILE. To continue without those writes, delete ${anchorPath(database)}.`,
    );
}

/**
 * Throws StoreFault if the database is empty or missing but has a write-ahead log. SQLite would treat the database as
 * new and delete the log, although the log may contain all data that is left.
 */
export function refuseEmptyBesideLog(database: string): void {
  const wal = statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const size = statSync(database, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0 || wal === 0) return;
  throw new StoreFault(
    `Baton's store ${database} is ${existsSync(database) ? 'empty' : 'gone'}, but the log of its latest writes (${database}-wal, ${wal} bytes) exists. Baton wrote nothing, so that the store can be repaired. Copy the files of the store to a safe place, then restore a backup: baton restore FILE. Or move these files away to start with an empty store.`,
  );
}
