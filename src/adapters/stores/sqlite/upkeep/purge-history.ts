import type { Tx } from '../../../../app/ports/store.ts';
import { lineageOf } from '../../../../domain/agents/agent.ts';
import { inboxKey, inboxKeyPrefix } from '../../../../domain/inbox/inbox-cause.ts';
import type { Instant } from '../../../../domain/instant.ts';
import { digestOfPurged, HISTORY_PURGED, PURGED_DATA, rangesOf } from '../../chain-check.ts';
import { type Connection, openConnection, sql } from '../connection.ts';
import { MIGRATIONS, migrate, schemaVersion } from '../migrate.ts';
import { createSqliteTx } from '../sqlite-tx.ts';
import { backupBeforeMigration } from './backup-before-migration.ts';
import { type PurgePlan, type PurgeScope, planPurge } from './purge-plan.ts';
import { refuseDamaged } from './refuse-damaged.ts';

/**
 * The key of a note in the database. The note lists the files that a purge still has to delete, as paths relative to
 * the home.
 */
const FILES_TO_GO = 'purged_files';

/**
 * The trigger that prevents changes of the log. Only a purge drops the trigger, and creates it again before its commit.
 */
const GUARD = `CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END`;

export interface PurgeOrder {
  readonly scope: PurgeScope;
  readonly at: Instant;
  /** Returns the files that a purge with this plan must delete. */
  readonly filesOf: (plan: PurgePlan) => readonly string[];
  readonly checkpoint: (name: string) => void;
}

/** A store that is opened only for a purge. The caller holds the server's lock. */
export interface PurgeStore {
  look(scope: PurgeScope): PurgePlan;
  /** Deletes rows, blanks events and stores the list of files to delete, in one transaction. */
  purge(order: PurgeOrder): PurgePlan;
  filesToGo(): readonly string[];
  filesGone(): void;
  close(): void;
}

/** Opens the database to read which files an interrupted purge did not delete yet. */
export function openPurgedFiles(path: string): Pick<PurgeStore, 'filesToGo' | 'filesGone' | 'close'> {
  const db = openConnection(path);
  return { ...purgedFiles(db), close: () => db.close() };
}

function purgedFiles(db: Connection): Pick<PurgeStore, 'filesToGo' | 'filesGone'> {
  const note = sql.selectFrom('notes').select('value').where('key', '=', FILES_TO_GO);
  return {
    filesToGo: () => JSON.parse(db.first(note)?.value ?? '[]') as string[],
    filesGone: () => void db.run(sql.deleteFrom('notes').where('key', '=', FILES_TO_GO)),
  };
}

/**
 * Opens the store for a dry run of a purge, which may happen while a server runs. Returns undefined if the store has
 * another schema version, because the store must not be migrated while a server uses it.
 */
export function openToLook(path: string): Pick<PurgeStore, 'look' | 'close'> | undefined {
  refuseDamaged(path);
  const db = openConnection(path);
  if (schemaVersion(db.raw) !== MIGRATIONS.length) {
    db.close();
    return undefined;
  }
  const tx = createSqliteTx(db, '');
  const look = (scope: PurgeScope): PurgePlan => {
    // Make the plan inside one read transaction, so that the plan contains each concurrent write either completely or
    // not at all.
    db.exec('BEGIN');
    try {
      return planPurge(tx, scope);
    } finally {
      db.exec('ROLLBACK');
    }
  };
  return { look, close: () => db.close() };
}

export function openForPurge(path: string): PurgeStore {
  refuseDamaged(path);
  backupBeforeMigration(path);
  const db = openConnection(path);
  migrate(db.raw);
  const host = sql.selectFrom('notes').select('value').where('key', '=', 'host_id');
  const tx = createSqliteTx(db, db.first(host)?.value ?? '');
  const files = purgedFiles(db);
  return {
    look: (scope) => planPurge(tx, scope),
    purge: (order) => {
      // Make SQLite overwrite deleted data with zeros. A VACUUM afterwards rewrites the rest of the file.
      db.raw.pragma('secure_delete = ON');
      const plan = within(db, order.checkpoint, () => {
        const planned = planPurge(tx, order.scope);
        carryOut(db, tx, { order, plan: planned, waiting: files.filesToGo() });
        return planned;
      });
      db.exec('VACUUM');
      // Copy the WAL into the database file. Until this checkpoint the database file still has the old content.
      db.raw.pragma('wal_checkpoint(TRUNCATE)');
      return plan;
    },
    ...files,
    close: () => db.close(),
  };
}

interface Job {
  readonly order: PurgeOrder;
  readonly plan: PurgePlan;
  /** Files that an earlier purge should have deleted but did not. */
  readonly waiting: readonly string[];
}

function carryOut(db: Connection, tx: Tx, { order: { at, filesOf }, plan, waiting }: Job): void {
  const { events, agents, packages } = plan;
  const files = filesOf(plan);
  blankEvents(db, plan);
  deleteRows(db, plan);
  deleteKnowledge(db, tx, plan);
  if (packages.length > 0) db.run(sql.updateTable('projects').set({ state_stale_seq: 0 }));
  const [ranges, digest] = [rangesOf(events.map(({ seq }) => seq)), digestOfPurged(events)];
  const data = { ranges, digest, agents, packages, files: files.length };
  if (events.length + agents.length + packages.length + files.length > 0)
    tx.appendEvent({ at, agentId: null, runId: null, type: HISTORY_PURGED, data, dedupeKey: null });
  const value = JSON.stringify([...new Set([...waiting, ...files])]);
  db.run(
    sql
      .insertInto('notes')
      .values({ key: FILES_TO_GO, value })
      .onConflict((same) => same.column('key').doUpdateSet({ value })),
  );
}

function within<T>(db: Connection, checkpoint: (name: string) => void, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const value = work();
    checkpoint('purge:before-commit');
    db.exec('COMMIT');
    checkpoint('purge:after-commit');
    return value;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Removes the data of events, but keeps their number, time, type and hash, so that the hash chain can still be checked.
 */
function blankEvents(db: Connection, { events }: PurgePlan): void {
  if (events.length === 0) return;
  db.exec('DROP TRIGGER events_are_not_changed');
  const data = JSON.stringify(PURGED_DATA);
  for (const { seq } of events) db.run(sql.updateTable('events').set({ data }).where('seq', '=', seq));
  db.exec(GUARD);
}

/**
 * Deletes the open points and lessons of deleted handoffs. An open point stays as long as its lineage has agents,
 * because their successors still get the point. A lesson stays if it is accepted but Baton has not yet written it to
 * experience.md. A purge does not change experience.md itself, because that file belongs to the operator.
 */
function deleteKnowledge(db: Connection, tx: Tx, { runs }: PurgePlan): void {
  if (runs.length === 0) return;
  const chains = new Set(tx.agents().map(lineageOf));
  for (const { id } of runs) {
    const points = db.all(sql.selectFrom('open_points').select(['id', 'lineage', 'is_open']).where('run_id', '=', id));
    for (const point of points)
      if (point.is_open === 0 || !chains.has(point.lineage))
        db.run(sql.deleteFrom('open_points').where('id', '=', point.id));
    db.run(sql.deleteFrom('lessons').where('run_id', '=', id).where('state', '!=', 'accepting'));
  }
  for (const { id, slug } of tx.personas()) {
    if (tx.lessonsOfPersona(id, ['offered'], 1).length > 0) continue;
    const key = inboxKey({ of: 'persona', slug, what: 'lessons' });
    db.run(sql.deleteFrom('inbox').where('key', '=', key).where('current', '=', 1));
  }
}

/**
 * Deletes the rows of the plan. Runs, records, inbox items, prompt texts and search entries of an agent are deleted
 * together with the agent (ON DELETE CASCADE).
 */
function deleteRows(db: Connection, { agents, packages }: PurgePlan): void {
  for (const id of agents) {
    db.run(sql.deleteFrom('effects').where('agent_id', '=', id));
    db.run(sql.deleteFrom('agents').where('id', '=', id));
  }
  for (const id of packages) {
    const { project_id: projectId = 0 } =
      db.first(sql.selectFrom('packages').select('project_id').where('id', '=', id)) ?? {};
    db.run(sql.deleteFrom('inbox').where('key', 'like', `${inboxKeyPrefix({ packageId: id })}%`));
    db.run(sql.deleteFrom('packages').where('id', '=', id));
    // Mark the files of the project's other packages as out of date. When Baton writes these files again, it also
    // updates the project's state file, which still lists the deleted package.
    db.run(sql.updateTable('packages').set({ written_seq: null }).where('project_id', '=', projectId));
  }
  // Rewrite the search index. The entries were deleted together with their rows, but the words of these entries stay in
  // the index until it is rewritten.
  db.exec(`INSERT INTO search_index(search_index) VALUES('optimize')`);
}
