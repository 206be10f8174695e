import { announcementOf } from './announcement.ts';
import { isPerson } from './content/package.ts';
import { awaitedName } from './held-up.ts';
import { notifiedOfEnd } from './package-end.ts';
import { isTerminal } from './record.ts';
import { type HeldUp, isHandoffPackage, type StoredPackage } from './stored-package.ts';

/** An agent of this name in this project has to act on a package, or to hear of it; `besides` has written it and is not meant. */
export interface Addressee {
  readonly projectId: number;
  readonly name: string;
  readonly besides: number | null;
}

export type Named = Pick<Addressee, 'projectId' | 'name'>;

/** A session that sent or took a package, under this name. */
export interface Bound {
  readonly agentId: number;
  readonly name: string;
}

/**
 * The work that the host has with a package on its own, keyed by the agent that it concerns. The store finds the packages of each by an
 * index, so that a look at the world costs what there is to do and not what there is.
 */
export interface PackageMarks {
  /** To be announced. */
  readonly tell: Addressee | null;
  /** Its end would leave the package without its sender, or without its receiver (P15). */
  readonly sender: Bound | null;
  readonly receiver: Bound | null;
  /** P33. Whom it waits for, and which adopted agent was noted as holding it up. */
  readonly waits: (Addressee & { readonly heldUp: HeldUp | null }) | null;
  /** P30. An agent is to be started for it. */
  readonly start: Named | null;
  /** P30. This agent was started for it, and may have failed. */
  readonly started: { readonly agentId: number } | null;
  /** Accepted, and not yet ended, by whoever has this name. */
  readonly work: Named | null;
  /** P28. A package that began a step of a workflow, and was accepted, by the agent of this name. */
  readonly step: Named | null;
  /** P29. A sealed gate that the agent of this name put before a person. */
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

/** Fields always in this order: the store compares the texts of keys. */
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
  // P26. A run knows best which of its two agents is gone.
  const isBound = !isTerminal(record) && !isHandoffPackage(stored);
  const bound = (agentId: number | null, name: string): Bound | null =>
    isBound && agentId !== null && !isPerson(name) ? { agentId, name } : null;
  return {
    sender: record.senderGone ? null : bound(senderAgentId, record.from),
    receiver: record.state === 'accepted' ? bound(receiverAgentId, record.to) : null,
  };
}

/** P30. Each package has one start; what kept it from being made is looked at again. */
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

/** Of a continuation both names are the same: the session that wrote it is not told of it. */
function otherParty(stored: StoredPackage): number | null {
  const { record, senderAgentId } = stored;
  const isBack = record.state === 'clarifying' || record.state === 'accepted' || notifiedOfEnd(stored) === 'sender';
  return isBack ? null : senderAgentId;
}
