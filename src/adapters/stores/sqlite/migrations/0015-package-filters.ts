/**
 * Indexes for the filters of the package list, so that the list reads only the rows that it shows. Code fills the
 * column `words` of existing rows, because SQL in SQLite can lowercase ASCII only.
 */
export const packageFilters: readonly string[] = [
  `ALTER TABLE packages ADD COLUMN type TEXT`,
  `ALTER TABLE packages ADD COLUMN words TEXT`,
  `UPDATE packages SET type = json_extract(detail, '$.record.type')`,
  `CREATE INDEX packages_in_state ON packages(state, number)`,
  `CREATE INDEX packages_of_type ON packages(type, number)`,
  `CREATE INDEX packages_from ON packages(from_agent, number)`,
  `CREATE INDEX packages_to ON packages(to_agent, number)`,
  `CREATE INDEX packages_by_words ON packages(number, words)`,
  `CREATE INDEX packages_without_words ON packages(number) WHERE words IS NULL`,
];
