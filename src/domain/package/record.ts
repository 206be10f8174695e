import type { Instant } from '../instant.ts';
import type { PackageType } from './package.ts';

export const ACTIVE_STATES = ['draft', 'pending', 'delivered', 'clarifying', 'awaiting_human', 'accepted'] as const;
export type ActiveState = (typeof ACTIVE_STATES)[number];

/** P14: nothing changes any more. What follows is a new package that names this one. */
export const TERMINAL_STATES = ['completed', 'rejected', 'failed', 'expired', 'cancelled', 'superseded'] as const;
export type TerminalState = (typeof TERMINAL_STATES)[number];

export type PackageState = ActiveState | TerminalState;

/** Who can own a package. `orchestrator` holds it in escrow when its sender is gone. */
export type Party = 'sender' | 'orchestrator' | 'receiver' | 'human';

/** What a decision or acknowledgement was about: the hash of the content and of each artifact, as it was seen. */
export interface Seal {
  readonly content: string;
  readonly artifacts: Readonly<Record<string, string>>;
}

export interface GateDecision {
  readonly option: 'approve' | 'reject' | 'question';
  readonly by: string;
  readonly channel: Channel;
  readonly at: Instant;
  readonly reason: string;
  /** Become constraints of the next package. */
  readonly conditions: readonly string[];
  readonly seal: Seal;
}

/** Where a decision came from. Who it says it is, is not asked: an agent can say anything. */
export type Channel = 'page' | 'cli' | 'agent';

export interface Question {
  readonly id: string;
  readonly text: string;
}

/** Everything about the way of a package that is not its content. */
export interface PackageRecord {
  readonly id: string;
  readonly type: PackageType;
  readonly from: string;
  readonly to: string;
  readonly state: PackageState;
  readonly owner: Party;
  /** Counts the changes of owner. A write that names an older one comes from who owned it before. */
  readonly epoch: number;
  readonly senderGone: boolean;
  readonly revision: number;
  readonly seal: Seal | null;
  /** Who must do something now, and when that is late. Both are set in every state that is not terminal. */
  readonly waiter: Party | null;
  readonly deadlineAt: Instant | null;
  readonly reminders: number;
  /** The whole package lapses then; null: never by itself. */
  readonly expiresAt: Instant | null;
  readonly round: number;
  readonly questions: readonly Question[];
  readonly askedBy: 'receiver' | 'human' | null;
  readonly gate: { readonly kind: 'blocking' | 'non_blocking'; readonly items: number } | null;
  /** Of each item of the gate. */
  readonly approvedItems: readonly number[];
  /** Of the approvals of single items so far. Absent in old rows. */
  readonly conditions?: readonly string[];
  /** The one that stands. */
  readonly decision: GateDecision | null;
  readonly outcome: 'approved' | 'no_objection' | null;
  /** The acknowledgement as it came, to know a repeated one. */
  readonly acknowledgement: string | null;
  readonly cause: string | null;
  /** Of what was cancelled or superseded: by whom. */
  readonly endedBy?: 'sender' | 'receiver' | 'operator' | 'host' | undefined;
  readonly supersededBy: string | null;
}

export const isTerminal = ({ state }: PackageRecord): boolean => TERMINAL_STATES.some((terminal) => terminal === state);

export const sameSeal = (a: Seal | null, b: Seal | null): boolean => {
  if (a === null || b === null || a.content !== b.content) return false;
  const paths = Object.keys(a.artifacts);
  return (
    paths.length === Object.keys(b.artifacts).length && paths.every((path) => a.artifacts[path] === b.artifacts[path])
  );
};

/** P15. Responsibility never goes to nobody: if the sender is gone, the orchestrator holds it. */
export const senderOrEscrow = ({ senderGone }: PackageRecord): Party => (senderGone ? 'orchestrator' : 'sender');

export type NewPackage = Pick<PackageRecord, 'id' | 'type' | 'from' | 'to' | 'gate' | 'expiresAt'>;
