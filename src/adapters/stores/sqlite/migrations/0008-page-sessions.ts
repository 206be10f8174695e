/** Pages that are logged in, so that a restart does not log them out. */
export const pageSessions: readonly string[] = [
  `CREATE TABLE page_sessions (
     token_hash TEXT PRIMARY KEY,
     created_on TEXT NOT NULL,
     used_on TEXT NOT NULL
   ) STRICT`,
];
