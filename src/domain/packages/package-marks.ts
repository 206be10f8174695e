import { announcementOf } from './announcement.ts';
import { isPerson } from './content/package.ts';
import { awaitedName } from './held-up.ts';
import { notifiedOfEnd } from './package-end.ts';
import { isTerminal } from './record.ts';
import { type HeldUp, isHandoffPackage, type StoredPackage } from './stored-package.ts';

/**
 * The agents with this name in this project that must act on a package or be notified of the package. The agent with
 * the id `besides` is left out, because this agent is the author of the package.
 */
export interface Addressee {
  readonly projectId: number;
  readonly name: string;
  readonly besides: number | null;
}

export type Named = Pick<Addressee, 'projectId' | 'name'>;

/** The agent that sent or accepted a package, and the name under which the agent did this. */
export interface Bound {
  readonly agentId: number;
  readonly name: string;
}

/**
 * The work that Baton still has to do for a package. Each field (a "mark") stands for one kind of work. Its value is a
 * key that names the agents concerned. The store indexes these keys, so that Baton finds the work quickly.
 */
export interface PackageMarks {
  /** The agents that must be notified by a pending announcement; null if none is pending. */
  readonly tell: Addressee | null;
  /**
   * The agents whose end Baton must record with the package: the agent that sent the package, and the agent that
   * accepted the package (SPEC P15). While the package is pending, `receiver` is the agent that Baton has notified of
   * the package (SPEC P37).
   */
  readonly sender: Bound | null;
  readonly receiver: Bound | null;
  /**
   * The agents that the package waits for (SPEC P33). `heldUp` is the adopted agent that cannot act on the package, if
   * there is one.
   */
  readonly waits: (Addressee & { readonly heldUp: HeldUp | null }) | null;
  /** The name of the agent that Baton must start for the package (SPEC P30). Null if Baton must start none. */
  readonly start: Named | null;
  /**
   * The agent that Baton created for the pending package. Null if there is none, or if its start has failed (SPEC P30).
   */
  readonly started: { readonly agentId: number } | null;
  /** The name of the agent that works on the accepted package. Null in other states, and for a handoff run's package. */
  readonly work: Named | null;
  /** The name of the agent that accepted the package and so began a workflow step (SPEC P28). Null if no step began. */
  readonly step: Named | null;
  /**
   * The name of the agent that sent this package to a person as a sealed gate (SPEC P29). Null for all other packages.
   */
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

/**
 * Returns the marks of a package: for each kind of work that Baton still has to do, a key that names the agents
 * concerned. Keep the order of the fields in a key, because the store compares keys as JSON text.
 */
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
  // The marks `sender` and `receiver` are null for the package of a handoff run, because the run itself notices when
  // the predecessor or the successor ends (SPEC P26).
  const isBound = !isTerminal(record) && !isHandoffPackage(stored);
  const bound = (agentId: number | null, name: string): Bound | null =>
    isBound && agentId !== null && !isPerson(name) ? { agentId, name } : null;
  return {
    sender: record.senderGone ? null : bound(senderAgentId, record.from),
    receiver: record.state === 'accepted' ? bound(receiverAgentId, record.to) : bound(unreadBy(stored), record.to),
  };
}

/**
 * Returns the id of the agent that Baton has notified of a pending package and that has not opened the package (SPEC
 * P37). Returns null if there is none.
 */
export function unreadBy({ record, readRevision, told }: StoredPackage): number | null {
  const isUnread = record.state === 'pending' && readRevision !== record.revision;
  return isUnread && told != null && told.name === record.to ? told.agentId : null;
}

/**
 * Returns the marks about the agent that Baton must start for the package or has already started (SPEC P30). Baton
 * starts only one agent per package. If the agent could not be created, Baton tries again.
 */
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
 * Returns the id of the agent that must not get the announcement: the sender. In a continuation, sender and receiver
 * have the same name, so the sender could get its own package. Returns null if the announcement is for the sender
 * itself.
 */
function otherParty(stored: StoredPackage): number | null {
  const { record, senderAgentId } = stored;
  const isBack = record.state === 'clarifying' || record.state === 'accepted' || notifiedOfEnd(stored) === 'sender';
  return isBack ? null : senderAgentId;
}
