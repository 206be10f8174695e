import { existsSync } from 'node:fs';
import type { Selectable } from 'kysely';
import Database from 'libsql';
import { SLUG_SHAPE } from '../../../../domain/personas/persona.ts';
import { createChainCheck } from '../../chain-check.ts';
import { MIGRATIONS, migrate, schemaVersion } from '../migrate.ts';
import { toEvent } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { lostEnd, refuseEmptyBesideLog } from './log-anchor.ts';

export interface Examined {
  readonly exists: boolean;
  readonly schema: number;
  readonly newestSchema: number;
  readonly events: number;
  /** The time of the last event in the log. */
  readonly lastAt?: string;
  /** SQLite's message if the database is damaged; undefined if the database is intact. */
  readonly damage?: string;
  /** SQLite's message if the database could not be opened. The database may still be intact. */
  readonly closed?: string;
  /** The number of the first event that breaks the hash chain. */
  readonly firstBroken?: number;
  /** A sentence about the events that the log has lost. */
  readonly lost?: string;
}

const PAGE = 1_000;
const CLOSED = /unable to open|readonly|disk I\/O|permission denied/i;

/** Checks the whole database without writing, even while a server has it open. */
export function examineDatabase(path: string): Examined {
  const nothing = { exists: false, schema: 0, newestSchema: MIGRATIONS.length, events: 0 };
  try {
    refuseEmptyBesideLog(path);
  } catch (error) {
    return { ...nothing, exists: true, lost: (error as Error).message };
  }
  if (!existsSync(path)) return nothing;
  try {
    const db = new Database(path, { readonly: true });
    try {
      const lost = lostEnd(path, db);
      return {
        ...nothing,
        exists: true,
        schema: schemaVersion(db),
        ...examine(db),
        ...(lost === undefined ? {} : { lost }),
      };
    } finally {
      db.close();
    }
  } catch (error) {
    const { message } = error as Error;
    return { ...nothing, exists: true, ...(CLOSED.test(message) ? { closed: message } : { damage: message }) };
  }
}

function examine(db: Database.Database): Pick<Examined, 'events' | 'lastAt' | 'damage' | 'firstBroken'> {
  const [checked] = db.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[];
  if (checked?.integrity_check !== 'ok') return { events: 0, damage: checked?.integrity_check ?? 'no answer' };
  const page = db.prepare(`SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ${PAGE}`);
  const chain = createChainCheck();
  let events = 0;
  let last = 0;
  let lastAt = '';
  for (;;) {
    const rows = page.all(last) as Selectable<Schema['events']>[];
    for (const row of rows) {
      if (!isWhole(row) || !chain.take(toEvent(row))) return { events, firstBroken: row.seq };
      last = row.seq;
      lastAt = row.at;
      events++;
    }
    if (rows.length < PAGE) break;
  }
  const unanswered = chain.end();
  return { events, lastAt, ...(unanswered === undefined ? {} : { firstBroken: unanswered }) };
}

/**
 * Checks that tables, indexes and triggers are exactly those of this schema version, because an unknown trigger in a
 * restored database could change data without Baton's knowledge.
 */
export function hasOwnSchema(path: string): boolean {
  const db = new Database(path, { readonly: true });
  const own = new Database(':memory:');
  try {
    migrate(own, schemaVersion(db));
    return JSON.stringify(statementsOf(db)) === JSON.stringify(statementsOf(own));
  } finally {
    db.close();
    own.close();
  }
}

const statementsOf = (db: Database.Database): unknown =>
  db
    .prepare(
      "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name",
    )
    .all();

function isWhole({ data }: Selectable<Schema['events']>): boolean {
  try {
    return typeof JSON.parse(data) === 'object';
  } catch {
    return false;
  }
}

/** Describes the first slug or path in the database that would lead out of the home; undefined if there is none. */
export function hostileName(path: string): string | undefined {
  const db = new Database(path, { readonly: true });
  try {
    const tables = (statementsOf(db) as { name: string }[]).map(({ name }) => name);
    const all = (column: string, table: string) =>
      tables.includes(table)
        ? (db.prepare(`SELECT ${column} AS value FROM ${table}`).all() as { value: string | null }[])
        : [];
    const slug = all('slug', 'personas').find(({ value }) => !SLUG.test(value ?? ''))?.value;
    if (slug !== undefined) return `it contains the persona ${JSON.stringify(slug)}, whose name Baton would not create`;
    const paths = [...all('file_path', 'handoffs'), ...all("json_extract(detail, '$.document.path')", 'handoff_runs')];
    const outside = paths.find(({ value }) => value !== null && !isInHome(value))?.value;
    return outside === undefined
      ? undefined
      : `it names the document ${JSON.stringify(outside)}, which is outside Baton's home`;
  } finally {
    db.close();
  }
}

const SLUG = new RegExp(`^${SLUG_SHAPE}$`);

const isInHome = (path: string): boolean => path.startsWith('data/') && !path.split('/').includes('..');
