/**
 * Tokens by local day, agent and persona. A null count is unknown: the agent took a turn, and its client reported
 * nothing. `persona_id` is 0 for agents without a persona. The rows of a purged agent are deleted with it.
 */
export const usage: readonly string[] = [
  `CREATE TABLE usage_days (
    day TEXT NOT NULL,
    agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    persona_id INTEGER NOT NULL,
    project_id INTEGER NOT NULL,
    runtime TEXT NOT NULL,
    input INTEGER,
    output INTEGER,
    cache_read INTEGER,
    cache_write INTEGER,
    cost_usd_micros INTEGER,
    PRIMARY KEY (day, agent_id, persona_id)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX usage_days_of_agent ON usage_days (agent_id)',
  'CREATE INDEX usage_days_of_persona ON usage_days (persona_id, day)',
];
