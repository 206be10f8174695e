const MARKS = ['tell', 'sender', 'receiver', 'waits', 'start', 'started', 'work', 'step', 'gate'];

/**
 * Indexes for the filters of the package list, so that the list reads only the rows that it shows. Code fills the
 * column `words` of existing rows, because SQL in SQLite can lowercase ASCII only.
 */
export const packageMarks: readonly string[] = [
  `ALTER TABLE packages ADD COLUMN filled INTEGER`,
  `DROP INDEX packages_without_words`,
  `CREATE INDEX packages_unfilled ON packages(number) WHERE filled IS NULL`,
  ...MARKS.flatMap((mark) => [
    `ALTER TABLE packages ADD COLUMN mark_${mark} TEXT`,
    `CREATE INDEX packages_mark_${mark} ON packages(mark_${mark}) WHERE mark_${mark} IS NOT NULL`,
  ]),
  `CREATE INDEX inbox_by_key ON inbox(current, key)`,
  `CREATE INDEX inbox_untold ON inbox(id) WHERE resolved_at IS NULL AND notified_at IS NULL`,
];
