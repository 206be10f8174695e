/** Runs that have moved since their continuation package was looked after. A Baton that is killed in between finds them here. */
export const runsToSync: readonly string[] = [
  `CREATE TABLE runs_to_tell (
     run_id INTEGER PRIMARY KEY REFERENCES handoff_runs(id) ON DELETE CASCADE
   ) STRICT`,
];
