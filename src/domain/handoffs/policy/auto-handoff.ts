import type { Instant } from '../../instant.ts';

/**
 * The reason why an automatic handoff begins: the context use reached the threshold, or the agent asked for a handoff.
 */
export type AutoTrigger = 'threshold' | 'request';

/**
 * The countdown to a handoff that Baton begins by itself. The countdown is stored, so that killing Baton neither
 * loses nor repeats the handoff.
 */
export interface Countdown {
  readonly trigger: AutoTrigger;
  readonly beganAt: Instant;
  readonly dueAt: Instant;
}

/** The reason why Baton does not begin a handoff by itself although the policy is `auto`. */
export const HOLDS = ['loop', 'cap', 'quiet_hours'] as const;
export type Hold = (typeof HOLDS)[number];

/** Evidence that an agent did work: a commit, an edit of a file, or a completed package. */
export type WorkSeen = 'commit' | 'edit' | 'step';

/** The agent's own request for a handoff. */
export interface HandoffAsked {
  readonly reason: string;
  readonly at: Instant;
  /** True if a person must decide about the request, because the policy was not `auto` when the agent asked. */
  readonly isForPerson: boolean;
}

/** Everything about automatic handoffs that is stored with an agent. */
export interface AutoHandoff {
  /** Since when the agent has been idle with a free composer; null if the agent does not count as idle. */
  readonly idleSince: Instant | null;
  readonly countdown: Countdown | null;
  /** A person snoozed automatic handoffs until this time, so no countdown begins earlier. Null without a snooze. */
  readonly snoozedUntil: Instant | null;
  /** True if a person canceled a countdown. No new countdown begins until the context use falls below the threshold. */
  readonly isCancelled: boolean;
  readonly request: HandoffAsked | null;
  /**
   * The last request, if a person declined it by dismissing the inbox item `itemId`. Kept so that restoring this item
   * also restores the request. Absent in rows of older versions.
   */
  readonly declined?: { readonly itemId: number; readonly request: HandoffAsked } | null;
  readonly held: { readonly why: Hold; readonly since: Instant } | null;
  /** The first work of this agent that Baton has seen; null if Baton has seen no work. */
  readonly work: WorkSeen | null;
  /** How the last countdown ended, as one sentence for people. */
  readonly ended: string | null;
}

export const NO_AUTO: AutoHandoff = {
  idleSince: null,
  countdown: null,
  snoozedUntil: null,
  isCancelled: false,
  request: null,
  held: null,
  work: null,
  ended: null,
};

export const autoOf = ({ auto }: { readonly auto?: AutoHandoff }): AutoHandoff => auto ?? NO_AUTO;
