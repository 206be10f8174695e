import Database from 'libsql';
import { vi } from 'vitest';

/** The number of executed SQL statements, and the number of rows that they returned. */
export interface SqlCount {
  readonly statements: number;
  readonly rows: number;
}

interface Counting {
  statements: number;
  rows: number;
}

/** The methods of a libsql statement that Baton's store uses. */
interface Statement {
  all(...values: unknown[]): unknown[];
  run(...values: unknown[]): Database.RunResult;
}

let counting: Counting | undefined;

/** Counts SQL in all databases that are opened after this call, until `vi.restoreAllMocks`. */
export function watchSql(): void {
  const prepare = Database.prototype.prepare;
  vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database.Database, text: string) {
    const statement: Statement = prepare.call(this, text) as Statement;
    const { all, run } = statement;
    statement.all = (...values: unknown[]) => {
      const rows = all.apply(statement, values);
      note(rows.length);
      return rows;
    };
    statement.run = (...values: unknown[]) => {
      note(0);
      return run.apply(statement, values);
    };
    return statement as Database.Statement;
  });
}

function note(rows: number): void {
  if (counting === undefined) return;
  counting.statements += 1;
  counting.rows += rows;
}

export async function sqlOf(work: () => unknown): Promise<SqlCount> {
  const mine: Counting = { statements: 0, rows: 0 };
  counting = mine;
  try {
    await work();
  } finally {
    counting = undefined;
  }
  return mine;
}
