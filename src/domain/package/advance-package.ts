import { after } from '../instant.ts';
import { isRefusal, type Refusal } from '../refusals.ts';
import { refuseWrite } from './ownership.ts';
import type { PackageFact, PackageWish, PackageWorld } from './package-facts.ts';
import type { PackageMove, StateRow } from './package-move.ts';
import { accepted, awaitingHuman, clarifying, delivered, draft, pending } from './package-states.ts';
import { type ActiveState, isTerminal, type NewPackage, type PackageRecord, senderOrEscrow } from './record.ts';

/** THE state machine of a package: one row a state, and nothing else decides where a package goes. */
const TABLE: Readonly<Record<ActiveState, StateRow>> = {
  draft,
  pending,
  delivered,
  clarifying,
  awaiting_human: awaitingHuman,
  accepted,
};

export interface AdvancedPackage {
  readonly record: PackageRecord;
  readonly wishes: readonly PackageWish[];
}

export function newPackage(given: NewPackage, world: PackageWorld): PackageRecord {
  const record: PackageRecord = {
    ...given,
    state: 'draft',
    owner: 'sender',
    epoch: 1,
    senderGone: false,
    revision: 0,
    seal: null,
    waiter: null,
    deadlineAt: null,
    reminders: 0,
    round: 0,
    questions: [],
    askedBy: null,
    approvedItems: [],
    decision: null,
    outcome: null,
    acknowledgement: null,
    cause: null,
    supersededBy: null,
  };
  return waitingIn(record, world);
}

/** P14. A fact that does not fit is refused with the state and what would fit; nothing is changed then. */
export function advancePackage(
  record: PackageRecord,
  fact: PackageFact,
  world: PackageWorld,
): AdvancedPackage | Refusal {
  if (isTerminal(record)) return refuseOver(record, fact);
  const move = moveOf(record, fact, world);
  return isRefusal(move) ? move : apply(record, move, world);
}

function moveOf(record: PackageRecord, fact: PackageFact, world: PackageWorld): PackageMove | Refusal {
  switch (fact.type) {
    case 'clock_ticked':
      return tick(record, world);
    case 'session_ended':
      return sessionEnded(record, fact.whose);
    case 'superseded':
      return { to: 'superseded', patch: { supersededBy: fact.byPackage }, wishes: [{ kind: 'tell_receiver' }] };
    case 'cancelled': {
      const refusal = fact.by === 'operator' ? undefined : refuseWrite(record, fact);
      const patch = { endedBy: fact.by, cause: fact.reason ?? null };
      return refusal ?? { to: 'cancelled', patch, wishes: [{ kind: 'tell_receiver' }] };
    }
    default: {
      // TypeScript cannot see that the handler found under a fact's type takes that very fact.
      const row = TABLE[record.state as ActiveState].on[fact.type] as
        | ((record: PackageRecord, fact: PackageFact, world: PackageWorld) => PackageMove | Refusal)
        | undefined;
      return row === undefined ? refuseHere(record, fact) : row(record, fact, world);
    }
  }
}

/** P15. Nobody is left without an owner: what a session held that is gone is held in escrow. */
function sessionEnded(record: PackageRecord, whose: 'sender' | 'receiver'): PackageMove {
  if (whose === 'sender')
    return { patch: { senderGone: true }, ...(record.owner === 'sender' ? { owner: 'orchestrator' as const } : {}) };
  if (record.owner !== 'receiver')
    return { wishes: [{ kind: 'escalate', why: `The receiver of ${record.id} is gone.` }] };
  return {
    to: 'failed',
    owner: senderOrEscrow(record),
    patch: { cause: "The receiver's session ended." },
    wishes: [{ kind: 'pop_frame', status: 'failed' }],
  };
}

/** P19 and P22. Time reminds and calls a person; it decides nothing that a person has to decide. */
function tick(record: PackageRecord, world: PackageWorld): PackageMove {
  const isGate = record.gate?.kind === 'blocking';
  if (record.expiresAt !== null && world.now >= record.expiresAt && !isGate)
    return {
      to: 'expired',
      owner: senderOrEscrow(record),
      wishes: [{ kind: 'escalate', why: `${record.id} expired.` }],
    };
  if (record.deadlineAt === null || world.now < record.deadlineAt) return {};
  const move = TABLE[record.state as ActiveState].tooLate?.(record);
  if (move !== undefined) return move;
  const patch = { reminders: record.reminders + 1 };
  const whom = record.waiter ?? 'human';
  return record.reminders === 0
    ? { rearm: true, patch, wishes: [{ kind: 'remind', whom }] }
    : { rearm: true, patch, wishes: [{ kind: 'escalate', why: `The ${whom} of ${record.id} does not answer.` }] };
}

function apply(record: PackageRecord, move: PackageMove, world: PackageWorld): AdvancedPackage {
  const owner = move.owner ?? record.owner;
  const next: PackageRecord = {
    ...record,
    ...move.patch,
    owner,
    epoch: owner === record.owner ? record.epoch : record.epoch + 1,
    state: move.to ?? record.state,
  };
  const wishes = move.wishes ?? [];
  if (isTerminal(next)) return { record: { ...next, waiter: null, deadlineAt: null }, wishes };
  if (next.state !== record.state) return { record: waitingIn({ ...next, reminders: 0 }, world), wishes };
  if (move.rearm) return { record: waitingIn(next, world), wishes };
  return { record: { ...next, waiter: waiterOf(next) }, wishes };
}

const waiterOf = (record: PackageRecord) => TABLE[record.state as ActiveState].waiter(record);

/** P19. No state without a name for who must act, and a time when that is late. */
function waitingIn(record: PackageRecord, world: PackageWorld): PackageRecord {
  const { timer } = TABLE[record.state as ActiveState];
  return { ...record, waiter: waiterOf(record), deadlineAt: after(world.now, world.timers[timer]) };
}

const EVERYWHERE = ['cancelled'];

function refuseHere(record: PackageRecord, fact: PackageFact): Refusal {
  const decided = record.decision;
  if (fact.type === 'decided' && decided !== null) return alreadyDecided(record);
  const { on, waiter } = TABLE[record.state as ActiveState];
  // Before it is accepted, only the host can know that it fails (P26).
  const isTheirs = (type: string): boolean => type !== 'failed' || record.state === 'accepted';
  const possible = [...Object.keys(on), ...EVERYWHERE].filter(isTheirs).flatMap((type) => VERBS[type] ?? []);
  return {
    code: 'package_not_possible',
    sentence: `${record.id} is ${IN_WORDS[record.state as ActiveState]}, so it cannot be ${DONE_TO[fact.type] ?? fact.type}.`,
    hint: `It waits for ${WHO[waiter(record)]}. Possible now: ${possible.join(', ')}.`,
  };
}

const IN_WORDS: Readonly<Record<ActiveState, string>> = {
  draft: 'a draft',
  pending: 'sealed and not read yet',
  delivered: 'read and not acknowledged yet',
  clarifying: 'waiting for answers to questions about it',
  awaiting_human: "waiting for a person's decision",
  accepted: 'accepted and being worked on',
};

const WHO = { sender: 'its sender', receiver: 'its receiver', human: 'a person', orchestrator: 'Baton' } as const;

/** What callers can do, as API, command line and tools call it. What the host sees by itself is nobody's to do. */
const VERBS: Readonly<Record<string, string>> = {
  sealed: 'seal',
  delivery_seen: 'receive',
  acknowledged: 'ack',
  answered: 'answer',
  declined: 'decline',
  decided: 'decide',
  progressed: 'progress',
  completed: 'complete',
  failed: 'fail',
  cancelled: 'cancel',
};

const DONE_TO: Readonly<Record<string, string>> = {
  progressed: 'reported on',
  gate_passed: 'completed',
  delivery_seen: 'received',
  gate_opened: 'put before a person',
};

function refuseOver(record: PackageRecord, fact: PackageFact): Refusal {
  if (fact.type === 'decided' && record.decision !== null) return alreadyDecided(record);
  return overRefusal(record);
}

export const overRefusal = ({ id, state }: PackageRecord): Refusal => ({
  code: 'package_over',
  sentence: `${id} is ${state}, which nothing changes any more.`,
  hint: 'Write a new package that names this one.',
});

const alreadyDecided = ({ id, decision }: PackageRecord): Refusal => ({
  code: 'already_decided',
  sentence: `${id} was already decided by ${decision?.by} at ${decision?.at}: ${decision?.option}.`,
});
