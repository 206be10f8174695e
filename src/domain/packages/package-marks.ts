import { announcementOf } from './announcement.ts';
import { isPerson } from './content/package.ts';
import { awaitedName } from './held-up.ts';
import { notifiedOfEnd } from './package-end.ts';
import { isTerminal } from './record.ts';
import { type HeldUp, isHandoffPackage, type StoredPackage } from './stored-package.ts';

/** The agents with this name in this project must act or be notified. `besides`: the excluded author of the package. */
export interface Addressee {
  readonly projectId: number;
  readonly name: string;
  readonly besides: number | null;
}

export type Named = Pick<Addressee, 'projectId' | 'name'>;

/** The agent that sent or accepted a package, and the name that it used for that. */
export interface Bound {
  readonly agentId: number;
  readonly name: string;
}

/**
 * The host's pending work for a package, keyed by the agent that it concerns. The store indexes these keys, so that the
 * cost of a reconcile depends on the work to do and not on the number of packages.
 */
export interface PackageMarks {
  /** The addressee of a pending announcement. */
  readonly tell: Addressee | null;
  /** If this agent ends, the package loses its sender or receiver (P15). */
  readonly sender: Bound | null;
  readonly receiver: Bound | null;
  /** P33. The agent that the package waits for, and the adopted agent that holds the package up. */
  readonly waits: (Addressee & { readonly heldUp: HeldUp | null }) | null;
  /** P30. Baton must start an agent with this name. */
  readonly start: Named | null;
  /** P30. Baton started this agent for the package; its start may have failed. */
  readonly started: { readonly agentId: number } | null;
  /** The agent with this name has accepted the package, and the package has not ended. */
  readonly work: Named | null;
  /** P28. The agent with this name accepted the package, which began a workflow step. */
  readonly step: Named | null;
  /** P29. The agent with this name sent this sealed gate to a person. */
  readonly gate: Named | null;
}

export type Mark = keyof PackageMarks;
export const MARKS: readonly Mark[] = [
  'tell',
  'sender',
  'receiver',
  'waits',
  'start',
  'started',
  'work',
  'step',
  'gate',
];

/** The order of fields in the marks must not change, because the store compares keys as JSON text. */
export function marksOf(stored: StoredPackage): PackageMarks {
  const { record, projectId } = stored;
  const besides = otherParty(stored);
  const told = announcementOf(stored);
  const awaited = isHandoffPackage(stored) ? undefined : awaitedName(record);
  const { heldUp = null } = stored;
  return {
    tell: told === undefined ? null : { projectId, name: told.to, besides },
    ...boundTo(stored),
    waits: awaited === undefined ? null : { projectId, name: awaited, besides, heldUp: inOrder(heldUp) },
    ...startOf(stored),
    ...heldBy(stored),
  };
}

const inOrder = (heldUp: HeldUp | null): HeldUp | null =>
  heldUp === null ? null : { agentId: heldUp.agentId, runtime: heldUp.runtime, name: heldUp.name };

function boundTo(stored: StoredPackage): Pick<PackageMarks, 'sender' | 'receiver'> {
  const { record, senderAgentId, receiverAgentId } = stored;
  // P26. A handoff run tracks its two agents itself, so its package is bound to none.
  const isBound = !isTerminal(record) && !isHandoffPackage(stored);
  const bound = (agentId: number | null, name: string): Bound | null =>
    isBound && agentId !== null && !isPerson(name) ? { agentId, name } : null;
  return {
    sender: record.senderGone ? null : bound(senderAgentId, record.from),
    receiver: record.state === 'accepted' ? bound(receiverAgentId, record.to) : null,
  };
}

/** P30. Baton starts one agent per package. If the start was not possible, Baton tries again. */
function startOf({ record, step, start, projectId }: StoredPackage): Pick<PackageMarks, 'start' | 'started'> {
  const none = { start: null, started: null };
  if (record.state !== 'pending') return none;
  const agentId = start?.agentId ?? null;
  if (agentId !== null) return start?.problem === null ? { ...none, started: { agentId } } : none;
  return step === undefined ? none : { ...none, start: { projectId, name: record.to } };
}

function heldBy(stored: StoredPackage): Pick<PackageMarks, 'work' | 'step' | 'gate'> {
  const { record, projectId, step } = stored;
  const isAccepted = record.state === 'accepted' && !isHandoffPackage(stored);
  const isTaken = record.state === 'accepted' || record.state === 'completed';
  return {
    work: isAccepted ? { projectId, name: record.to } : null,
    step: step !== undefined && isTaken ? { projectId, name: record.to } : null,
    gate: record.gate !== null && record.revision > 0 ? { projectId, name: record.from } : null,
  };
}

/**
 * The agent that must not get the announcement: the sender, unless the announcement is for the sender. This matters for
 * a continuation, whose sender and receiver have the same name.
 */
function otherParty(stored: StoredPackage): number | null {
  const { record, senderAgentId } = stored;
  const isBack = record.state === 'clarifying' || record.state === 'accepted' || notifiedOfEnd(stored) === 'sender';
  return isBack ? null : senderAgentId;
}
