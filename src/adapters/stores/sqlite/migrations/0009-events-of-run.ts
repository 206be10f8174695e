/** An index for the events of one run, in a log of any length. */
export const eventsOfRun: readonly string[] = [
  `CREATE INDEX events_of_run ON events(run_id, seq) WHERE run_id IS NOT NULL`,
];
