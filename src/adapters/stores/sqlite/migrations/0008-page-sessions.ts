/**
 * The table of browser sessions that are logged in to the page. The sessions are stored, so that a restart of Baton
 * does not log them out.
 */
export const pageSessions: readonly string[] = [
  `CREATE TABLE page_sessions (
     token_hash TEXT PRIMARY KEY,
     created_on TEXT NOT NULL,
     used_on TEXT NOT NULL
   ) STRICT`,
];
