/** The name of the browser of each page session, so that the operator can tell the devices apart and revoke one. */
export const deviceNames: readonly string[] = [`ALTER TABLE page_sessions ADD COLUMN name TEXT NOT NULL DEFAULT ''`];
