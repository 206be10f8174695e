/** Worktrees of agents, and indexes for two queries of every reconcile: successors of an agent, and lost agents. */
export const worktrees: readonly string[] = [
  `CREATE TABLE worktrees (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE RESTRICT,
     name TEXT NOT NULL,
     state TEXT NOT NULL CHECK (state IN ('making', 'ready', 'removing', 'removed')),
     detail TEXT NOT NULL
   ) STRICT`,
  `CREATE UNIQUE INDEX worktrees_there ON worktrees(project_id, name) WHERE state <> 'removed'`,
  `CREATE INDEX agents_heirs ON agents(previous_agent_id) WHERE previous_agent_id IS NOT NULL`,
  `CREATE INDEX agents_lost ON agents(id) WHERE state = 'lost'`,
];
