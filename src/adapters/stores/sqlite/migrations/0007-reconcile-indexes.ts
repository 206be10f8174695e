/**
 * What is asked at every fact, commit and look must not read all of the past. Partial indexes do not serve: SQLite cannot
 * tell that a condition with bound values means the same as theirs.
 */
export const askedAtEveryLook: readonly string[] = [
  `DROP INDEX agents_live`,
  `DROP INDEX effects_open`,
  `CREATE INDEX agents_by_state ON agents(state)`,
  `CREATE INDEX effects_by_state ON effects(state)`,
  `CREATE INDEX runs_by_step ON handoff_runs(step)`,
  `CREATE INDEX inbox_current ON inbox(current, run_id, agent_id)`,
];
