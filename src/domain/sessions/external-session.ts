import type { Instant } from '../instant.ts';

/** A session that the operator started himself. It is only known; nothing is done to it until he has it adopted. */
export interface Candidate {
  readonly runtime: string;
  readonly sessionId: string;
  readonly folder: string | null;
  readonly transcriptPath: string | null;
  /** The agent program's process, to see whether it still runs. */
  readonly pid: number | null;
  readonly tmux: { readonly socket: string; readonly pane: string } | null;
  /** The version of the hooks that it was started with; absent: of those that only tell its beginning and end. */
  readonly hooks?: number;
  readonly firstSeenAt: Instant;
  readonly lastSeenAt: Instant;
  readonly endedAt: Instant | null;
}

export type Sighting = Omit<Candidate, 'firstSeenAt' | 'lastSeenAt' | 'endedAt'> & {
  readonly moment: 'began' | 'ended';
  readonly at: Instant;
};

/** What may stand for a session in an address. */
export const SESSION_SHAPE = '[\\w.:-]{1,200}';

/** From this version on the hooks of a session can speak for an agent. */
export const ADOPTABLE_HOOKS = 2;

/** More are not remembered; the one that was not seen for the longest time is forgotten first. */
export const MAX_CANDIDATES = 200;

/** undefined: nothing new. Something later was seen already, or a session that nobody knows is over. */
export function afterSighting(known: Candidate | undefined, sighting: Sighting): Candidate | undefined {
  const { moment, at, ...seen } = sighting;
  if (known === undefined ? moment === 'ended' : at < known.lastSeenAt) return undefined;
  return {
    ...seen,
    firstSeenAt: known?.firstSeenAt ?? at,
    lastSeenAt: at,
    endedAt: moment === 'ended' ? at : null,
  };
}
