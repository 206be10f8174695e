/** The runtimes, models and arguments for agents of a persona or a project, as a JSON list, the first choice first. */
export const runsOn: readonly string[] = [
  `ALTER TABLE personas ADD COLUMN runs_on TEXT`,
  `ALTER TABLE projects ADD COLUMN runs_on TEXT`,
];
