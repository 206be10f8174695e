/**
 * Indexes that keep queries fast after years of history. Each of the three new columns of an agent is 1 or null. The
 * indexes of these columns leave out null, so they contain few agents. `state_stale_seq` is the number of the latest
 * package event that the project's state file does not include yet. Null means that the file is up to date.
 */
export const historyIndexes: readonly string[] = [
  `ALTER TABLE projects ADD COLUMN state_stale_seq INTEGER`,
  `UPDATE projects SET state_stale_seq = 0`,
  `ALTER TABLE agents ADD COLUMN unsettled INTEGER`,
  `ALTER TABLE agents ADD COLUMN to_restore INTEGER`,
  `ALTER TABLE agents ADD COLUMN had_personas INTEGER`,
  `UPDATE agents SET unsettled = 1
   WHERE EXISTS (SELECT 1 FROM json_each(detail, '$.messages') WHERE json_extract(value, '$.verdict') IS NULL)
      OR EXISTS (SELECT 1 FROM json_each(detail, '$.answers') WHERE json_extract(value, '$.verdict') IS NULL)`,
  `UPDATE agents SET to_restore = 1 WHERE state = 'lost'`,
  `UPDATE agents SET had_personas = 1 WHERE json_array_length(detail, '$.wore') > 0`,
  `CREATE INDEX agents_unsettled ON agents(unsettled) WHERE unsettled IS NOT NULL`,
  `CREATE INDEX agents_to_restore ON agents(to_restore) WHERE to_restore IS NOT NULL`,
  `CREATE INDEX agents_with_past_personas ON agents(had_personas) WHERE had_personas IS NOT NULL`,
  `CREATE INDEX agents_of_persona ON agents(persona_id, id) WHERE persona_id IS NOT NULL`,
  `DROP INDEX agents_lost`,
  `CREATE INDEX runs_of_successor ON handoff_runs(successor_agent_id) WHERE successor_agent_id IS NOT NULL`,
  `CREATE INDEX events_of_type ON events(type, seq)`,
  `CREATE INDEX events_of_package ON events(json_extract(data, '$.packageId'), seq)
   WHERE json_extract(data, '$.packageId') IS NOT NULL`,
];
