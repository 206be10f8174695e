import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import Database from 'libsql';
import { StoreFault } from '../../../app/ports/store.ts';
import type { Schema } from './schema.ts';

/** Kysely only builds the SQL. This file runs it synchronously, so nothing can interleave with a transaction. */
export const sql = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

export interface Query<Row> {
  compile(): CompiledQuery<Row>;
}

/** Compiles a constant query once, for queries that run on every reconcile. */
export function fixed<Row>(query: Query<Row>): Query<Row> {
  const compiled = query.compile();
  return { compile: () => compiled };
}

/** Synchronous access to one SQLite database. */
export interface Connection {
  all<Row>(query: Query<Row>): Row[];
  first<Row>(query: Query<Row>): Row | undefined;
  /** How many rows were changed, and the id of the last one inserted. */
  run(query: Query<unknown>): { readonly changes: number; readonly id: number };
  exec(statement: string): void;
  readonly raw: Database.Database;
  readonly isOpen: boolean;
  close(): void;
}

export function openConnection(path: string): Connection {
  const raw = new Database(path);
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'busy_timeout = 5000'])
    raw.pragma(pragma);
  const statements = new Map<string, Database.Statement>();
  let isOpen = true;
  /**
   * libsql panics on a closed database. Work that is still running when Baton ends must fail with StoreFault instead.
   */
  const refuseClosed = (): void => {
    if (!isOpen) throw new StoreFault('the store is closed, because Baton is shutting down');
  };
  const prepare = (text: string): Database.Statement => {
    refuseClosed();
    const known = statements.get(text);
    if (known !== undefined) return known;
    const prepared = raw.prepare(text);
    statements.set(text, prepared);
    return prepared;
  };
  const all = <Row>(query: Query<Row>): Row[] => {
    const compiled = query.compile();
    return prepare(compiled.sql).all(...compiled.parameters) as Row[];
  };
  return {
    all,
    // Does not use .get(), because libsql adds a `_metadata` column to its rows.
    first: (query) => all(query)[0],
    run: (query) => {
      const compiled = query.compile();
      const result = prepare(compiled.sql).run(...compiled.parameters);
      return { changes: result.changes, id: Number(result.lastInsertRowid) };
    },
    exec: (statement) => {
      refuseClosed();
      raw.exec(statement);
    },
    raw,
    get isOpen() {
      return isOpen;
    },
    close: () => {
      isOpen = false;
      raw.close();
    },
  };
}
