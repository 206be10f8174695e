/** External sessions: sessions of agent programs that the operator started without Baton. */
export const sessionCandidates: readonly string[] = [
  `CREATE TABLE session_candidates (
     runtime TEXT NOT NULL,
     session_id TEXT NOT NULL,
     last_seen_at TEXT NOT NULL,
     detail TEXT NOT NULL,
     PRIMARY KEY (runtime, session_id)
   ) STRICT`,
];
