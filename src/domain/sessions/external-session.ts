import type { Instant } from '../instant.ts';

/** An external session: the operator started it. Baton only records it and does nothing to it until it is adopted. */
export interface ExternalSession {
  readonly runtime: string;
  readonly sessionId: string;
  readonly folder: string | null;
  readonly transcriptPath: string | null;
  /** Pid of the agent program, to check whether it still runs. */
  readonly pid: number | null;
  readonly tmux: { readonly socket: string; readonly pane: string } | null;
  /** Version of the hooks it was started with; absent: hooks that report only session start and end. */
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

/** The first version of the hooks that reports enough for an agent. */
export const ADOPTABLE_HOOKS = 2;

/** Limit of remembered sessions; the least recently seen is forgotten first. */
export const MAX_EXTERNAL_SESSIONS = 200;

/** undefined: nothing to store. A later sighting is already known, or an unknown session ended. */
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
