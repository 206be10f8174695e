/**
 * Typed packages between agents and people. `written_seq` is the last event that the package's files in the project
 * contain.
 */
export const packages: readonly string[] = [
  `CREATE TABLE package_numbers (year INTEGER PRIMARY KEY, last INTEGER NOT NULL) STRICT`,
  `CREATE TABLE packages (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE RESTRICT,
     root TEXT NOT NULL,
     from_agent TEXT NOT NULL,
     to_agent TEXT NOT NULL,
     state TEXT NOT NULL,
     due_at TEXT,
     seq INTEGER NOT NULL,
     written_seq INTEGER,
     create_key TEXT UNIQUE,
     detail TEXT NOT NULL
   ) STRICT`,
  `CREATE INDEX packages_of_root ON packages(root)`,
  `CREATE INDEX packages_due ON packages(due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX packages_behind ON packages(number) WHERE written_seq IS NOT seq`,
];
