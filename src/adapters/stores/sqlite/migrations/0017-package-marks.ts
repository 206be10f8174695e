const MARKS = ['tell', 'sender', 'receiver', 'waits', 'start', 'started', 'work', 'step', 'gate'];

/**
 * Adds one index for each kind of background work on packages, and one index for inbox items without a notification.
 * Before this migration, every reconcile had to read all packages in flight. `filled` is null in existing rows until
 * the store is opened and `fillPackageColumns` fills them.
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
