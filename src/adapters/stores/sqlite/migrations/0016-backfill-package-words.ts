/**
 * Columns and indexes for queries that run in every reconcile or for every new package. These queries must not read all
 * packages, because each row contains the whole text of its package.
 */
export const packageListColumns: readonly string[] = [
  `ALTER TABLE packages ADD COLUMN created_at TEXT NOT NULL DEFAULT ''`,
  `UPDATE packages SET created_at = json_extract(detail, '$.createdAt')`,
  `ALTER TABLE packages ADD COLUMN in_flight INTEGER NOT NULL DEFAULT 1`,
  `UPDATE packages SET in_flight = state NOT IN ('completed', 'rejected', 'failed', 'expired', 'cancelled', 'superseded')`,
  `CREATE INDEX packages_in_flight ON packages(in_flight, project_id)`,
  `CREATE INDEX packages_told ON packages(project_id, number, id, created_at, from_agent, to_agent, state)`,
];
