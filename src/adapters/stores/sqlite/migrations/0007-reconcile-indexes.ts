/**
 * Indexes for queries that run after every fact, at every commit and in every reconcile. With these indexes, the
 * queries do not read the whole history. Partial indexes do not help, because SQLite does not use them for conditions
 * with bound values.
 */
export const reconcileIndexes: readonly string[] = [
  `DROP INDEX agents_live`,
  `DROP INDEX effects_open`,
  `CREATE INDEX agents_by_state ON agents(state)`,
  `CREATE INDEX effects_by_state ON effects(state)`,
  `CREATE INDEX runs_by_step ON handoff_runs(step)`,
  `CREATE INDEX inbox_current ON inbox(current, run_id, agent_id)`,
];
