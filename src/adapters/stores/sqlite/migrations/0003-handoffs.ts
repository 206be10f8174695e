/**
 * The table of handoff records, exactly as specification 003 describes it: six columns, and a unique index that allows
 * one record per agent.
 */
export const handoffs: readonly string[] = [
  `CREATE TABLE handoffs (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     agent_id INTEGER NOT NULL REFERENCES agents(id) ON DELETE CASCADE,
     reason TEXT NOT NULL CHECK (reason IN ('context_limit', 'shift_end', 'task_boundary')),
     file_path TEXT,
     injection_prompt TEXT,
     created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
   ) STRICT`,
  `CREATE UNIQUE INDEX one_handoff_an_agent ON handoffs(agent_id)`,
];
