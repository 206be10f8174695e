/**
 * Open points and lessons of handoff documents. `words` identifies a repeated point or lesson, so that a document that
 * is applied a second time adds nothing.
 */
export const knowledge: readonly string[] = [
  `CREATE TABLE open_points (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    persona_id INTEGER NOT NULL,
    lineage INTEGER NOT NULL,
    words TEXT NOT NULL,
    is_open INTEGER NOT NULL,
    run_id INTEGER NOT NULL,
    detail TEXT NOT NULL,
    UNIQUE (lineage, words)
  ) STRICT`,
  'CREATE INDEX open_points_of_persona ON open_points (persona_id, is_open, id)',
  'CREATE INDEX open_points_of_lineage ON open_points (lineage, id) WHERE is_open = 1',
  `CREATE TABLE lessons (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    persona_id INTEGER NOT NULL,
    words TEXT NOT NULL,
    state TEXT NOT NULL,
    run_id INTEGER NOT NULL,
    detail TEXT NOT NULL,
    UNIQUE (persona_id, words)
  ) STRICT`,
  'CREATE INDEX lessons_of_persona ON lessons (persona_id, state, id)',
  "CREATE INDEX lessons_to_write ON lessons (id) WHERE state = 'accepting'",
];
