/**
 * Tables for the fleet: single values, the ledger of commands from other machines, and the latest states of other
 * machines. The ledger accepts each command id only once, so no command is performed twice.
 */
export const fleet: readonly string[] = [
  'CREATE TABLE fleet_notes (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID',
  `CREATE TABLE fleet_commands (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    sender TEXT NOT NULL,
    route TEXT NOT NULL,
    begun_at TEXT NOT NULL,
    answer TEXT
  ) STRICT`,
  `CREATE TABLE fleet_objects (
    kind TEXT NOT NULL,
    machine TEXT NOT NULL,
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (kind, machine, id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE fleet_reports (
    machine TEXT PRIMARY KEY,
    at TEXT,
    position INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
];
