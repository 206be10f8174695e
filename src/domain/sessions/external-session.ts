import type { Instant } from '../instant.ts';

/**
 * A session that the operator started outside of Baton. Until the operator adopts the session, Baton only records it.
 */
export interface ExternalSession {
  readonly runtime: string;
  readonly sessionId: string;
  readonly folder: string | null;
  readonly transcriptPath: string | null;
  /** The pid of the agent program. Baton uses the pid to check whether the program still runs. */
  readonly pid: number | null;
  readonly tmux: { readonly socket: string; readonly pane: string } | null;
  /** The version of the session's hooks. It is absent if the hooks report only the start and the end of a session. */
  readonly hooks?: number;
  readonly firstSeenAt: Instant;
  readonly lastSeenAt: Instant;
  readonly endedAt: Instant | null;
}

export type Sighting = Omit<ExternalSession, 'firstSeenAt' | 'lastSeenAt' | 'endedAt'> & {
  readonly moment: 'began' | 'ended';
  readonly at: Instant;
};

/** Pattern of a session id in a URL. */
export const SESSION_SHAPE = '[\\w.:-]{1,200}';

/** The lowest version of the hooks whose reports are enough for Baton to adopt the session. */
export const ADOPTABLE_HOOKS = 2;

/** The maximum number of stored sessions. If there are more, the least recently seen session is deleted. */
export const MAX_EXTERNAL_SESSIONS = 200;

/**
 * Returns the session to store after a report. Returns undefined if nothing is to be stored: a later report is already
 * stored, or the report says that an unknown session ended.
 */
export function afterSighting(known: ExternalSession | undefined, sighting: Sighting): ExternalSession | undefined {
  const { moment, at, ...seen } = sighting;
  if (known === undefined ? moment === 'ended' : at < known.lastSeenAt) return undefined;
  return {
    ...seen,
    firstSeenAt: known?.firstSeenAt ?? at,
    lastSeenAt: at,
    endedAt: moment === 'ended' ? at : null,
  };
}
