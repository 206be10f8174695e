import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TableNode,
} from 'kysely';
import Database from 'libsql';
import { StoreFault } from '../../../app/ports/store.ts';
import { createReadMemory, type ReadMemory } from './read-memory.ts';
import type { Schema } from './schema.ts';

/**
 * Kysely only builds the SQL. This module runs the SQL synchronously, so that no other query can run in the middle of a
 * transaction.
 */
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

/** Compiles a query without parameters only once, because such queries run in every reconcile. */
export function fixed<Row>(query: Query<Row>): Query<Row> {
  const compiled = query.compile();
  return { compile: () => compiled };
}

/** A placeholder in a compiled query, for a value that is known only when the query runs. */
class Placeholder {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

/**
 * Compiles a query at its first use and keeps the SQL, because building the SQL takes longer than running it. `build`
 * gets placeholders instead of values, so `build` must not read them, but only pass them on to the query.
 */
export function prepared<Values extends readonly unknown[], Row>(
  build: (...values: Values) => Query<Row>,
): (...values: Values) => Query<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return (...values) => {
    compiled ??= build(...(values.map((_, index) => new Placeholder(index)) as unknown as Values)).compile();
    const known = compiled;
    const parameters = known.parameters.map((each) => (each instanceof Placeholder ? values[each.index] : each));
    return { compile: () => ({ ...known, parameters }) };
  };
}

/**
 * Compiles a query for one row of values, such as an insert, only at its first use. All rows must have the same columns
 * as the first one.
 */
export function preparedRow<Row extends object>(
  build: (row: Row, id: number) => Query<unknown>,
): (row: Row, id?: number) => Query<unknown> {
  let columns: readonly string[] | undefined;
  const query = prepared((id: number, ...values: unknown[]) =>
    build(Object.fromEntries((columns ?? []).map((column, index) => [column, values[index]])) as Row, id),
  );
  return (row, id = 0) => {
    columns ??= Object.keys(row);
    return query(id, ...columns.map((column) => row[column as keyof Row]));
  };
}

/**
 * Returns a function that updates a row. The function writes only the columns whose values have changed, because SQLite
 * rewrites every index of a written column. Writes all columns if the old values are unknown, and nothing if no value
 * has changed.
 */
export function changedColumns<Row extends object>(
  build: (row: Partial<Row>, id: number) => Query<unknown>,
): (db: Connection, id: number, row: Row, before: Readonly<Record<keyof Row, unknown>> | undefined) => void {
  const updates = new Map<string, ReturnType<typeof preparedRow<Partial<Row>>>>();
  return (db, id, row, before) => {
    const columns = (Object.keys(row) as (keyof Row & string)[]).filter((each) => row[each] !== before?.[each]);
    if (columns.length === 0) return;
    const key = columns.join(' ');
    const update = updates.get(key) ?? preparedRow(build);
    updates.set(key, update);
    db.run(update(Object.fromEntries(columns.map((each) => [each, row[each]])) as Partial<Row>, id));
  };
}

/** Synchronous access to one SQLite database. */
export interface Connection {
  readonly memory: ReadMemory;
  /**
   * Returns a function that caches the result of `read` until the table is written, by this connection or by another
   * one.
   */
  untilWritten<T>(table: string, read: () => T): () => T;
  all<Row>(query: Query<Row>): Row[];
  first<Row>(query: Query<Row>): Row | undefined;
  /** Runs a statement. Returns how many rows were changed, and the id of the last inserted row. */
  run(query: Query<unknown>): { readonly changes: number; readonly id: number };
  exec(statement: string): void;
  /** Returns SQLite's data version, which changes when another connection commits. */
  dataVersion(): number;
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
   * libsql panics if a closed database is used. So if work still runs when Baton ends, the work must fail with
   * StoreFault instead.
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
  const memory = createReadMemory();
  const dataVersion = (): number => {
    const [row] = prepare('PRAGMA data_version').all() as { data_version: number }[];
    return row?.data_version ?? 0;
  };
  const all = <Row>(query: Query<Row>): Row[] => {
    const compiled = query.compile();
    return prepare(compiled.sql).all(...compiled.parameters) as Row[];
  };
  return {
    memory,
    untilWritten: (table, read) => {
      let known: { readonly mark: string; readonly answer: ReturnType<typeof read> } | undefined;
      return () => {
        const mark = `${dataVersion()}/${memory.versionOf(table)}`;
        if (known?.mark !== mark) known = { mark, answer: read() };
        return known.answer;
      };
    },
    all,
    // Does not use .get(), because libsql adds a `_metadata` column to the row that .get() returns.
    first: (query) => all(query)[0],
    run: (query) => {
      const compiled = query.compile();
      const table = tableOf(compiled.query);
      if (table === undefined) memory.forget();
      else memory.wrote(table);
      const result = prepare(compiled.sql).run(...compiled.parameters);
      return { changes: result.changes, id: Number(result.lastInsertRowid) };
    },
    exec: (statement) => {
      refuseClosed();
      raw.exec(statement);
    },
    dataVersion,
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

/**
 * Tables whose rows have dependent rows in other tables. SQLite deletes the dependent rows, too (ON DELETE CASCADE).
 */
const DELETES_OTHERS: readonly string[] = ['agents', 'handoff_runs'];

/**
 * Returns the table that a statement writes. Returns undefined if the statement may write several tables, for example
 * if it deletes an agent.
 */
function tableOf(query: CompiledQuery['query']): string | undefined {
  if (query.kind === 'InsertQueryNode') return query.into?.table.identifier.name;
  if (query.kind === 'DeleteQueryNode') {
    const [from, ...others] = query.from.froms;
    const name = from?.kind === 'TableNode' ? (from as TableNode).table.identifier.name : '';
    return name === '' || others.length > 0 || DELETES_OTHERS.includes(name) ? undefined : name;
  }
  const table = query.kind === 'UpdateQueryNode' ? query.table : undefined;
  return table?.kind === 'TableNode' ? (table as TableNode).table.identifier.name : undefined;
}
