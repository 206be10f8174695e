import type { Instant } from '../instant.ts';
import type { Acknowledgement } from './judge-acknowledgement.ts';
import type { PackageTimer } from './limits.ts';
import type { CriterionResult } from './package.ts';
import type { ReceiveReport } from './receive-report.ts';
import type { Channel, GateDecision, PackageRecord, Question, Seal } from './record.ts';

/** Who acts. The app knows it by token or channel; `host` also acts for the orchestrator in escrow. */
export type Actor = 'sender' | 'receiver' | 'operator' | 'host';

/** A write of an owner: `epoch` is the one under which he came to own the package. */
interface Owned {
  readonly by: Actor;
  readonly epoch: number;
}

export type PackageFact =
  | ({ readonly type: 'edited' } & Owned)
  | ({ readonly type: 'sealed'; readonly seal: Seal; readonly errors: number } & Owned)
  | { readonly type: 'delivery_seen'; readonly verdict: 'delivered' | 'unconfirmed' | 'not_delivered' }
  | { readonly type: 'gate_opened' }
  | { readonly type: 'acknowledged'; readonly by: Actor; readonly acknowledgement: Acknowledgement }
  | ({ readonly type: 'answered'; readonly answered: readonly string[]; readonly seal: Seal } & Owned)
  | { readonly type: 'declined'; readonly by: Actor; readonly code: DeclineCode; readonly reason?: string }
  | ({ readonly type: 'decided'; readonly channel: Channel; readonly items?: readonly number[] } & Omit<
      GateDecision,
      'at'
    >)
  | { readonly type: 'content_seen'; readonly seal: Seal }
  | { readonly type: 'gate_passed'; readonly seal: Seal }
  | ({ readonly type: 'progressed' } & Owned)
  | ({ readonly type: 'completed'; readonly results: readonly CriterionResult[]; readonly returned: boolean } & Owned)
  | ({ readonly type: 'failed'; readonly cause: string } & Owned)
  | { readonly type: 'session_ended'; readonly whose: 'sender' | 'receiver' }
  | ({ readonly type: 'cancelled'; readonly reason?: string } & Owned)
  | { readonly type: 'superseded'; readonly byPackage: string }
  | { readonly type: 'clock_ticked' };

export type PackageFactOf<T extends PackageFact['type']> = Extract<PackageFact, { type: T }>;

export const DECLINE_CODES = ['capability', 'conflict', 'overload', 'out_of_scope'] as const;
export type DeclineCode = (typeof DECLINE_CODES)[number];

/** What is true around a package when a fact is judged. */
export interface PackageWorld {
  readonly now: Instant;
  readonly timers: Readonly<Record<PackageTimer, number>>;
  readonly rounds: number;
  /** Ids of constraints and criteria of the current revision. */
  readonly toCover: readonly string[];
  readonly criteria: readonly string[];
  readonly report: ReceiveReport;
}

/** What should be done about it, by the app. */
export type PackageWish =
  | { readonly kind: 'probe_delivery' }
  | { readonly kind: 'remind'; readonly whom: NonNullable<PackageRecord['waiter']> }
  | { readonly kind: 'escalate'; readonly why: string }
  | { readonly kind: 'send_questions'; readonly questions: readonly Question[] }
  | { readonly kind: 'push_frame' }
  | { readonly kind: 'pop_frame'; readonly status: string }
  | { readonly kind: 'ask_for_rework'; readonly reason: string }
  | { readonly kind: 'tell_receiver' };
