import { announcementOf } from './announcement.ts';
import { isAboutConditions } from './conditions.ts';
import { awaitedName } from './held-up.ts';
import { HUMAN, ORCHESTRATOR } from './package.ts';
import { hearsOfEnd } from './package-end.ts';
import { isTerminal } from './record.ts';
import { type HeldUp, type StoredPackage, tellsOfRun } from './stored-package.ts';

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
 * What the host may have to do about packages without anybody asking, by whom it concerns. The store finds the packages of each by an
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
  /** A gate of whoever has this name: approved, and not yet passed. */
  readonly approved: Named | null;
  /** P34. Conditions under which a person approved what this name sent, outside of a chain; or a package that carries such on. */
  readonly conditions: Named | null;
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
  'approved',
  'conditions',
];

/** Fields always in this order: the store compares the texts of keys. */
export function marksOf(stored: StoredPackage): PackageMarks {
  const { record, projectId } = stored;
  const besides = otherParty(stored);
  const told = announcementOf(stored);
  const awaited = tellsOfRun(stored) ? undefined : awaitedName(record);
  const { heldUp = null } = stored;
  return {
    tell: told === undefined ? null : { projectId, name: told.to, besides },
    ...boundTo(stored),
    waits: awaited === undefined ? null : { projectId, name: awaited, besides, heldUp: inOrder(heldUp) },
    ...startOf(stored),
    ...heldBy(stored),
    conditions: isAboutConditions(stored) ? { projectId, name: record.from } : null,
  };
}

const inOrder = (heldUp: HeldUp | null): HeldUp | null =>
  heldUp === null ? null : { agentId: heldUp.agentId, runtime: heldUp.runtime, name: heldUp.name };

function boundTo(stored: StoredPackage): Pick<PackageMarks, 'sender' | 'receiver'> {
  const { record, senderAgentId, receiverAgentId } = stored;
  // P26. A run knows best which of its two agents is gone.
  const isBound = !isTerminal(record) && !tellsOfRun(stored);
  const bound = (agentId: number | null, name: string): Bound | null =>
    isBound && agentId !== null && name !== HUMAN && name !== ORCHESTRATOR ? { agentId, name } : null;
  return {
    sender: record.senderGone ? null : bound(senderAgentId, record.from),
    receiver: record.owner === 'receiver' ? bound(receiverAgentId, record.to) : null,
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

function heldBy(stored: StoredPackage): Pick<PackageMarks, 'work' | 'approved'> {
  const { record, projectId } = stored;
  const isAccepted = record.state === 'accepted' && !tellsOfRun(stored);
  return {
    work: isAccepted ? { projectId, name: record.to } : null,
    approved: isAccepted && record.gate !== null ? { projectId, name: record.from } : null,
  };
}

/** Of a continuation both names are the same: the session that wrote it is not told of it. */
function otherParty(stored: StoredPackage): number | null {
  const { record, senderAgentId } = stored;
  const isBack = record.state === 'clarifying' || record.state === 'accepted' || hearsOfEnd(stored) === 'sender';
  return isBack ? null : senderAgentId;
}
