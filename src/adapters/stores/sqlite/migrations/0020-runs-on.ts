/**
 * Indexes that keep queries fast after years of history. The three new columns of an agent are 1 or null, so that their
 * indexes contain few agents. `state_stale_seq` is the package event that the project's state file lacks; null means
 * none.
 */
export const runsOn: readonly string[] = [
  `ALTER TABLE personas ADD COLUMN runs_on TEXT`,
  `ALTER TABLE projects ADD COLUMN runs_on TEXT`,
];
