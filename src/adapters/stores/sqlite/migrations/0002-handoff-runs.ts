/**
 * The table of handoff runs with their steps, failures and times. The unique index allows only one run in flight per
 * agent, so that an agent never has two handoffs at the same time.
 */
export const handoffRuns: readonly string[] = [
  `CREATE TABLE handoff_runs (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     host_id TEXT NOT NULL,
     agent_id INTEGER NOT NULL REFERENCES agents(id) ON DELETE CASCADE,
     successor_agent_id INTEGER REFERENCES agents(id) ON DELETE SET NULL,
     step TEXT NOT NULL,
     detail TEXT NOT NULL,
     created_at TEXT NOT NULL,
     updated_at TEXT NOT NULL
   ) STRICT`,
  `CREATE UNIQUE INDEX one_run_in_flight ON handoff_runs(agent_id) WHERE step NOT IN ('completed', 'failed', 'cancelled')`,
  `CREATE INDEX runs_of_agent ON handoff_runs(agent_id)`,
];
