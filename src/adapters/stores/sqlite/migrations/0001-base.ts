/** The first version of the schema, before handoffs were added. */
export const base: readonly string[] = [
  `CREATE TABLE notes (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT`,
  `CREATE TABLE events (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     at TEXT NOT NULL,
     host_id TEXT NOT NULL,
     agent_id INTEGER,
     run_id INTEGER,
     type TEXT NOT NULL,
     data TEXT NOT NULL,
     dedupe_key TEXT UNIQUE,
     hash TEXT NOT NULL
   ) STRICT`,
  `CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END`,
  `CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END`,
  `CREATE TABLE personas (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     slug TEXT NOT NULL UNIQUE,
     role TEXT NOT NULL,
     name TEXT NOT NULL,
     status TEXT NOT NULL CHECK (status IN ('active', 'archived')),
     created_at TEXT NOT NULL
   ) STRICT`,
  `CREATE TABLE projects (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     name TEXT NOT NULL,
     path TEXT NOT NULL UNIQUE,
     created_at TEXT NOT NULL
   ) STRICT`,
  `CREATE TABLE agents (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     host_id TEXT NOT NULL,
     session_uuid TEXT NOT NULL UNIQUE,
     runtime TEXT NOT NULL,
     project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE RESTRICT,
     persona_id INTEGER REFERENCES personas(id) ON DELETE RESTRICT,
     previous_agent_id INTEGER REFERENCES agents(id) ON DELETE SET NULL,
     token_hash TEXT NOT NULL UNIQUE,
     state TEXT NOT NULL,
     started_at TEXT NOT NULL,
     ended_at TEXT,
     detail TEXT NOT NULL
   ) STRICT`,
  `CREATE INDEX agents_live ON agents(state) WHERE state NOT IN ('ended', 'lost')`,
  `CREATE TABLE effects (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     host_id TEXT NOT NULL,
     agent_id INTEGER NOT NULL,
     run_id INTEGER,
     kind TEXT NOT NULL,
     payload TEXT NOT NULL,
     state TEXT NOT NULL CHECK (state IN ('pending', 'claimed', 'done')),
     claimed_by TEXT,
     epoch INTEGER NOT NULL DEFAULT 0,
     attempts INTEGER NOT NULL DEFAULT 0,
     created_at TEXT NOT NULL,
     claimed_at TEXT,
     done_at TEXT
   ) STRICT`,
  `CREATE INDEX effects_open ON effects(id) WHERE state <> 'done'`,
];
