/**
 * The full-text index. The table `search_index` contains the words without the text and without positions. A trigger
 * removes the words when an entry is deleted. An entry is deleted together with its agent or package. `search_backlog`
 * lists old events that are not indexed yet.
 */
export const search: readonly string[] = [
  `CREATE TABLE search_entries (
     id INTEGER PRIMARY KEY,
     kind TEXT NOT NULL,
     key TEXT NOT NULL UNIQUE,
     at TEXT NOT NULL,
     agent_id INTEGER REFERENCES agents(id) ON DELETE CASCADE,
     persona_ids TEXT NOT NULL,
     project_id INTEGER,
     run_id INTEGER,
     package_id TEXT REFERENCES packages(id) ON DELETE CASCADE,
     line INTEGER,
     sha256 TEXT,
     text TEXT
   ) STRICT`,
  `CREATE INDEX search_entries_of_agent ON search_entries(agent_id) WHERE agent_id IS NOT NULL`,
  `CREATE INDEX search_entries_of_package ON search_entries(package_id) WHERE package_id IS NOT NULL`,
  `CREATE VIRTUAL TABLE search_index USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii')`,
  `CREATE TRIGGER search_entry_deleted AFTER DELETE ON search_entries BEGIN
     DELETE FROM search_index WHERE rowid = old.id;
   END`,
  `CREATE TABLE search_backlog (last INTEGER PRIMARY KEY, next INTEGER NOT NULL) STRICT`,
  `INSERT INTO search_backlog SELECT 1, max(seq) FROM events HAVING max(seq) IS NOT NULL`,
];
