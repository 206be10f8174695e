/**
 * The table of inbox items for the operator. An item is current as long as its cause exists. At most one item with the
 * same key is current.
 */
export const inbox: readonly string[] = [
  `CREATE TABLE inbox (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     key TEXT NOT NULL,
     kind TEXT NOT NULL,
     agent_id INTEGER REFERENCES agents(id) ON DELETE CASCADE,
     run_id INTEGER REFERENCES handoff_runs(id) ON DELETE CASCADE,
     sentence TEXT NOT NULL,
     hint TEXT NOT NULL,
     opened_at TEXT NOT NULL,
     current INTEGER NOT NULL CHECK (current IN (0, 1)),
     resolved_at TEXT,
     resolution TEXT,
     notified_at TEXT,
     notified TEXT NOT NULL
   ) STRICT`,
  `CREATE UNIQUE INDEX one_current_item ON inbox(key) WHERE current = 1`,
  `CREATE INDEX inbox_open ON inbox(id) WHERE resolved_at IS NULL`,
];
