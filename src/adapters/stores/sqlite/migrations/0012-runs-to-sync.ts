/**
 * The runs that changed since their handoff package was last updated. If Baton crashes before the update, the next
 * server finds the runs here.
 */
export const runsToSync: readonly string[] = [
  `CREATE TABLE runs_to_tell (
     run_id INTEGER PRIMARY KEY REFERENCES handoff_runs(id) ON DELETE CASCADE
   ) STRICT`,
];
