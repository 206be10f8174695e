import type { Instant } from '../instant.ts';
import type { CriterionResult } from './content/package.ts';
import type { ReceiveReport } from './receive-report.ts';
import type { GateDecision, Seal } from './record.ts';
import type { Acknowledgment } from './validate-acknowledgment.ts';

/** The author of a fact. Baton derives the author from the caller's token or channel. `host` means Baton itself. */
export type Actor = 'sender' | 'receiver' | 'operator' | 'host';

interface By {
  readonly by: Actor;
}

export type PackageFact =
  | ({ readonly type: 'edited' } & By)
  | ({ readonly type: 'sealed'; readonly seal: Seal } & By)
  | ({ readonly type: 'acknowledged'; readonly acknowledgement: Acknowledgment } & By)
  | ({ readonly type: 'answered'; readonly answered: readonly string[]; readonly seal: Seal } & By)
  | ({ readonly type: 'declined'; readonly code: DeclineCode; readonly reason?: string } & By)
  | ({ readonly type: 'decided'; readonly items?: readonly number[] } & Omit<GateDecision, 'at'>)
  | { readonly type: 'content_seen'; readonly seal: Seal }
  | ({ readonly type: 'progressed' } & By)
  | ({ readonly type: 'completed'; readonly results: readonly CriterionResult[]; readonly returned: boolean } & By)
  | ({ readonly type: 'failed'; readonly cause: string } & By)
  /**
   * The session of the sender or of the receiver ended. `replaced` is true if another agent with the receiver's name
   * can continue.
   */
  | { readonly type: 'session_ended'; readonly whose: 'sender' | 'receiver'; readonly replaced?: boolean }
  | ({ readonly type: 'cancelled'; readonly reason?: string } & By)
  /** The operator undid their own cancellation (SPEC P40). */
  | ({ readonly type: 'restored' } & By)
  /** The operator gave the package to another receiver, in a new revision (SPEC P37). */
  | ({ readonly type: 'reassigned'; readonly from: string; readonly to: string; readonly seal: Seal } & By)
  | { readonly type: 'superseded'; readonly byPackage: string }
  | { readonly type: 'clock_ticked' }
  /**
   * The deadline begins anew with its full timer. The old deadline was further away than this timer allows, because the
   * clock was set back or the timer was shortened.
   */
  | { readonly type: 'deadline_restarted' };

export type PackageFactOf<T extends PackageFact['type']> = Extract<PackageFact, { type: T }>;

export const DECLINE_CODES = ['capability', 'conflict', 'overload', 'out_of_scope'] as const;
export type DeclineCode = (typeof DECLINE_CODES)[number];

export type PackageTimer = 'draft' | 'acknowledge' | 'clarify' | 'gate' | 'work' | 'gone';
export type PackageTimers = Record<PackageTimer, number>;

const MINUTE = 60_000;
export const DEFAULT_TIMERS: PackageTimers = {
  draft: 24 * 60 * MINUTE,
  acknowledge: 10 * MINUTE,
  clarify: 15 * MINUTE,
  gate: 24 * 60 * MINUTE,
  work: 60 * MINUTE,
  gone: 3 * MINUTE,
};
export const MAX_ROUNDS = 3;

/** Everything outside the package record that the rules need to judge a fact. */
export interface PackageFactContext {
  readonly now: Instant;
  readonly timers: PackageTimers;
  /** Ids of the criteria of the current revision. */
  readonly criteria: readonly string[];
  /** The first decision of the current revision that a person still has to make; absent if there is none. */
  readonly toDecide?: string | undefined;
  readonly report: ReceiveReport;
}
