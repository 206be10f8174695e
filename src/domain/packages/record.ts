import { type Instant, instantFromMs } from '../instant.ts';
import { isPerson, type PackageInput, type PackageType } from './content/package.ts';

export const ACTIVE_STATES = ['draft', 'pending', 'clarifying', 'accepted'] as const;
export type ActiveState = (typeof ACTIVE_STATES)[number];

/**
 * A package in one of these states has ended (SPEC P14). Only a cancellation can be undone (P40). A new package can
 * name the ended package as its parent.
 */
export const TERMINAL_STATES = ['completed', 'rejected', 'failed', 'cancelled'] as const;
export type PackageState = ActiveState | (typeof TERMINAL_STATES)[number];

export const PARTIES = ['sender', 'orchestrator', 'receiver', 'human'] as const;
export type Party = (typeof PARTIES)[number];

/** Hashes of the content and of the artifacts. A decision or an acknowledgment refers to exactly these hashes. */
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
  /** The chosen option, if an escalation asks the person to choose one. */
  readonly choice?: string | undefined;
  /** Conditions of the approval. The host adds them as constraints to the next package. */
  readonly conditions: readonly string[];
  readonly seal: Seal;
}

/**
 * The channel through which a decision was made. The host derives the channel from the token, so an agent cannot claim
 * another channel.
 */
export type Channel = 'page' | 'cli' | 'agent';

export interface Question {
  readonly id: string;
  readonly text: string;
}

/** The state of a package, without its content. */
export interface PackageRecord {
  readonly id: string;
  readonly type: PackageType;
  readonly from: string;
  readonly to: string;
  readonly state: PackageState;
  readonly senderGone: boolean;
  /** The number of the last sealed revision; 0 before the first seal. */
  readonly revision: number;
  readonly seal: Seal | null;
  /**
   * The party that must act now. Null if the package has ended. If the party has not acted by the time `deadlineAt`,
   * the party is late.
   */
  readonly waiter: Party | null;
  readonly deadlineAt: Instant | null;
  readonly reminders: number;
  /** The time at which the package fails if it has not ended by then; null if the package does not expire. */
  readonly expiresAt: Instant | null;
  readonly round: number;
  readonly questions: readonly Question[];
  readonly askedBy: 'receiver' | 'human' | null;
  readonly gate: { readonly kind: 'blocking' | 'non_blocking'; readonly items: number } | null;
  readonly approvedItems: readonly number[];
  /** Conditions of all partial approvals so far. */
  readonly conditions?: readonly string[];
  readonly decision: GateDecision | null;
  readonly outcome: 'approved' | 'no_objection' | null;
  /** The acknowledgment as JSON, used to recognize a repeated acknowledgment. */
  readonly acknowledgement: string | null;
  readonly cause: string | null;
  readonly endedBy?: 'sender' | 'receiver' | 'operator' | 'host' | undefined;
  readonly supersededBy: string | null;
}

export const isTerminal = ({ state }: Pick<PackageRecord, 'state'>): boolean =>
  TERMINAL_STATES.some((terminal) => terminal === state);

const STATE_WORDS: Readonly<Partial<Record<PackageState, string>>> = { draft: 'a draft', cancelled: 'canceled' };

/** Returns the state as the end of a sentence such as "HO-2026-001 is canceled". */
export const stateWord = (state: PackageState): string => STATE_WORDS[state] ?? state;

/**
 * True if a person decides about the package. A person decides about every gate, and about every package that is
 * addressed to a person.
 */
export const isForPerson = ({ to, gate }: Pick<PackageRecord, 'to' | 'gate'>): boolean => isPerson(to) || gate !== null;

/** Returns the party that is responsible for the package (SPEC P15). At any time this is exactly one party. */
export const ownerOf = ({ state, senderGone }: PackageRecord): Party =>
  state === 'accepted' ? 'receiver' : senderGone ? 'orchestrator' : 'sender';

export const sameSeal = (a: Seal | null, b: Seal | null): boolean => {
  if (a === null || b === null || a.content !== b.content) return false;
  const paths = Object.keys(a.artifacts);
  return (
    paths.length === Object.keys(b.artifacts).length && paths.every((path) => a.artifacts[path] === b.artifacts[path])
  );
};

export type NewPackage = Pick<PackageRecord, 'id' | 'type' | 'from' | 'to' | 'gate' | 'expiresAt'>;

/** Returns the fields of a record that are derived from the content. */
export const recordFields = (id: string, type: PackageType, content: PackageInput): NewPackage => ({
  id,
  type,
  from: content.from.agent,
  to: content.to.agent,
  gate:
    content.gate === undefined
      ? null
      : { kind: content.gate.type, items: content.validation_request?.items.length ?? 0 },
  expiresAt: lapsesAt(content),
});

/**
 * Returns the time at which the package expires. The deadline is converted to an Instant, so that times can be compared
 * as text.
 */
function lapsesAt({ expectations, to }: PackageInput): Instant | null {
  const deadline = Date.parse(expectations?.deadline ?? '');
  return Number.isNaN(deadline) || isPerson(to.agent) ? null : instantFromMs(deadline);
}

interface OldRecord extends Omit<PackageRecord, 'state'> {
  readonly state: string;
  readonly owner?: unknown;
  readonly epoch?: unknown;
}

/** Converts a record of Baton 0.1.0, which had twelve states, an owner and an epoch. */
export function readRecord(stored: PackageRecord): PackageRecord {
  const { owner: _owner, epoch: _epoch, ...old } = stored as OldRecord;
  if (_epoch === undefined) return stored;
  const isDecided = old.state === 'accepted' && isForPerson(old);
  if (isDecided) return { ...old, state: 'completed', waiter: null, deadlineAt: null };
  if (old.state === 'awaiting_human' && old.askedBy === 'receiver') return { ...old, state: 'clarifying' };
  const state = (NEW_STATES[old.state] ?? old.state) as PackageState;
  return { ...old, state, waiter: state === 'pending' && old.waiter === 'orchestrator' ? 'receiver' : old.waiter };
}

const NEW_STATES: Readonly<Record<string, PackageState>> = {
  delivered: 'pending',
  awaiting_human: 'pending',
  expired: 'failed',
  superseded: 'cancelled',
};
