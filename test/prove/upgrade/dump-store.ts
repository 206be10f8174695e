import Database from 'libsql';

/**
 * Returns the store as SQL text. git can show this text, and `db.exec` can read it. The text includes data that a
 * killed Baton left in the write-ahead log.
 */
export function dumpStore(path: string): string {
  const db = new Database(path, { readonly: true });
  const all = <T>(sql: string): T[] => db.prepare(sql).all() as T[];
  try {
    const made = all<{ type: string; name: string; sql: string | null }>(
      "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY rowid",
    );
    const tables = made.filter(({ type }) => type === 'table');
    const rows = tables.flatMap(({ name }) => {
      const columns = all<{ name: string }>(`PRAGMA table_info(${name})`).map((column) => `quote("${column.name}")`);
      const values = all<{ row: string }>(`SELECT ${columns.join(" || ',' || ")} AS row FROM ${name} ORDER BY rowid`);
      return values.map(({ row }) => `INSERT INTO ${name} VALUES(${row})`);
    });
    const counters = all<{ name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence').map(
      ({ name, seq }) => `UPDATE sqlite_sequence SET seq = ${seq} WHERE name = '${name}'`,
    );
    const [version] = all<{ user_version: number }>('PRAGMA user_version');
    const others = made.filter(({ type }) => type !== 'table');
    const statements = [...tables, ...others].flatMap(({ sql }) => sql ?? []);
    const [first, last] = [statements.slice(0, tables.length), statements.slice(tables.length)];
    const text = [...first, ...rows, ...counters, ...last, `PRAGMA user_version = ${version?.user_version}`];
    return text.map((statement) => `${statement};\n`).join('');
  } finally {
    db.close();
  }
}
