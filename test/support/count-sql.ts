import Database from 'libsql';
import { vi } from 'vitest';

/** SQL statements that were executed, rows that they returned, and the distinct texts of the reading ones. */
export interface SqlCount {
  readonly statements: number;
  readonly rows: number;
  readonly texts: ReadonlySet<string>;
}

interface Counting {
  statements: number;
  rows: number;
  readonly texts: Set<string>;
}

let counting: Counting | undefined;

/** Counts in all databases that are opened after this call. `vi.restoreAllMocks` ends it. */
export function watchSql(): void {
  const prepare = Database.prototype.prepare;
  vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database.Database, text: string) {
    const statement = prepare.call(this, text);
    const { all, run } = statement;
    statement.all = (...values: unknown[]) => {
      const rows = all.apply(statement, values);
      note(text, rows.length);
      return rows;
    };
    statement.run = (...values: unknown[]) => {
      note(undefined, 0);
      return run.apply(statement, values);
    };
    return statement;
  });
}

function note(text: string | undefined, rows: number): void {
  if (counting === undefined) return;
  counting.statements += 1;
  counting.rows += rows;
  if (text !== undefined) counting.texts.add(text);
}

export async function sqlOf(work: () => unknown): Promise<SqlCount> {
  const mine: Counting = { statements: 0, rows: 0, texts: new Set() };
  counting = mine;
  try {
    await work();
  } finally {
    counting = undefined;
  }
  return mine;
}
