/** Texts that were typed into agents, or given to them at the start of a session. */
export const promptTexts: readonly string[] = [
  `CREATE TABLE prompt_texts (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     ref TEXT NOT NULL UNIQUE,
     agent_id INTEGER NOT NULL REFERENCES agents(id) ON DELETE CASCADE,
     run_id INTEGER REFERENCES handoff_runs(id) ON DELETE CASCADE,
     purpose TEXT NOT NULL,
     text TEXT NOT NULL,
     outcome TEXT,
     at TEXT
   ) STRICT`,
  `CREATE INDEX prompt_texts_of_agent ON prompt_texts(agent_id)`,
  `CREATE INDEX prompt_texts_of_run ON prompt_texts(run_id)`,
];
