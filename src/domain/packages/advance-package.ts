import { after, utcTime } from '../instant.ts';
import { isRefusal, type Refusal } from '../refusals.ts';
import { moveFor, type Row, type Table } from '../transition-table.ts';
import { canonicalJson } from './content/canonical-json.ts';
import {
  type Actor,
  MAX_ROUNDS,
  type PackageFact,
  type PackageFactContext,
  type PackageFactOf,
  type PackageTimer,
} from './package-facts.ts';
import {
  type ActiveState,
  type GateDecision,
  isForPerson,
  isTerminal,
  type NewPackage,
  type PackageRecord,
  type PackageState,
  type Party,
  sameSeal,
  stateWord,
} from './record.ts';
import { validateAcknowledgment } from './validate-acknowledgment.ts';

/** The result of applying a fact to a package: the new state, and the changed fields of its record. */
interface Move {
  readonly to?: PackageState;
  readonly patch?: Partial<PackageRecord>;
  /** True if Baton sets a new deadline for the party that must act, so that this party has its full time again. */
  readonly rearm?: boolean;
}

interface PackageMachine {
  readonly step: ActiveState;
  readonly subject: PackageRecord;
  readonly fact: PackageFact;
  readonly context: PackageFactContext;
  readonly move: Move | Refusal;
}

interface StateRow extends Row<PackageMachine> {
  readonly waiter: (record: PackageRecord) => Party;
  readonly timer: (record: PackageRecord) => PackageTimer;
}

/** The state machine of a package, one row per state. No other code changes the state. */
const ROWS: Readonly<Record<ActiveState, StateRow>> = {
  draft: {
    waiter: senderOrHuman,
    timer: () => 'draft',
    on: {
      edited: (record, { by }) => onlyFor(record, by, 'sender') ?? { rearm: true },
      sealed: (record, { by, seal }) =>
        onlyFor(record, by, 'sender') ?? { to: 'pending', patch: { seal, revision: 1 } },
    },
  },
  pending: {
    waiter: (record) => (isForPerson(record) ? 'human' : 'receiver'),
    timer: (record) => (isForPerson(record) ? 'gate' : 'acknowledge'),
    on: {
      acknowledged: acknowledge,
      declined: (record, { by, code, reason }) =>
        onlyFor(record, by, 'receiver') ?? {
          to: 'rejected',
          patch: { cause: reason === undefined ? code : `${code}: ${reason}` },
        },
      decided: decide,
      content_seen: (record, { seal }) =>
        isForPerson(record) ? { patch: { seal, ...NOTHING_TICKED } } : refuseHere(record, 'content_seen'),
      failed: (record, { by, cause }) =>
        by === 'host' ? { to: 'failed', patch: { cause } } : refuseHere(record, 'failed'),
    },
  },
  clarifying: {
    // After the last round of questions, a person replaces the sender and answers the receiver's questions (SPEC P18).
    waiter: (record) => (record.round > MAX_ROUNDS ? 'human' : senderOrHuman(record)),
    timer: () => 'clarify',
    on: { answered: answer },
  },
  accepted: {
    waiter: () => 'receiver',
    timer: () => 'work',
    on: {
      acknowledged: (record, { acknowledgement }): Move | Refusal =>
        record.acknowledgement === canonicalJson(acknowledgement)
          ? {}
          : {
              code: 'package_not_possible',
              sentence: `${record.id} was already acknowledged with a different acknowledgment.`,
              hint: `End the package: baton package complete ${record.id}, or baton package fail ${record.id}`,
            },
      progressed: (record, { by }) => onlyFor(record, by, 'receiver') ?? { rearm: true },
      completed: complete,
      failed: (record, { by, cause }) =>
        by === 'sender' ? onlyReceiver(record) : { to: 'failed', patch: { cause, endedBy: by } },
    },
  },
};

const TABLE: Table<PackageMachine, StateRow> = {
  rows: ROWS,
  inEveryStep: {
    clock_ticked: (record, _fact, world) => tick(record, world),
    deadline_restarted: (record, _fact, world) => (isDeadlineTooFar(record, world) ? { rearm: true } : {}),
    session_ended: sessionEnded,
    reassigned: (record, fact) =>
      record.state === 'draft' || fact.by !== 'operator'
        ? refuseHere(record, 'reassigned')
        : {
            to: 'pending',
            rearm: true,
            patch: { seal: fact.seal, revision: record.revision + 1, ...FOR_A_NEW_RECEIVER },
          },
    superseded: (_record, { byPackage }) => ({
      to: 'cancelled',
      patch: { supersededBy: byPackage, cause: `${byPackage} replaced it.`, endedBy: 'sender' },
    }),
    cancelled: (record, { by, reason }) =>
      (by === 'operator' ? undefined : onlyFor(record, by, 'sender')) ?? {
        to: 'cancelled',
        patch: { endedBy: by, cause: reason ?? null },
      },
  },
  unknownFact: (record, { type }) => refuseHere(record, type),
};

/** Returns the row of the state table for the package. The package must not have ended. */
const rowOf = ({ state }: PackageRecord): StateRow => ROWS[state as ActiveState];

const NOTHING_TICKED = { approvedItems: [], conditions: [] } as const;

const FOR_A_NEW_RECEIVER = {
  ...NOTHING_TICKED,
  questions: [],
  askedBy: null,
  acknowledgement: null,
  reminders: 0,
} as const;

function senderOrHuman({ senderGone }: PackageRecord): Party {
  return senderGone ? 'human' : 'sender';
}

/**
 * Refuses an action if the caller is not `party`, which is the sender or the receiver (SPEC P15). For a sender that has
 * ended, the operator and the host may act.
 */
function onlyFor(record: PackageRecord, by: Actor, party: 'sender' | 'receiver'): Refusal | undefined {
  const stands = by === party || (party === 'sender' && record.senderGone && (by === 'operator' || by === 'host'));
  if (stands) return undefined;
  const name = party === 'sender' ? record.from : record.to;
  return {
    code: 'forbidden',
    sentence: `Only ${name}, the ${party} of ${record.id}, can perform this action on the package.`,
  };
}

const onlyReceiver = ({ id, to }: PackageRecord): Refusal => ({
  code: 'forbidden',
  sentence: `Only the receiver ${to} or the operator can report that ${id} has failed.`,
  hint: `Cancel the package: baton package cancel ${id}`,
});

export function newPackage(given: NewPackage, world: PackageFactContext): PackageRecord {
  const record: PackageRecord = {
    ...given,
    state: 'draft',
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
  return waiting(record, world);
}

/**
 * Applies a fact to a package (SPEC P14). Refuses a fact that does not fit the state; the refusal names the state and
 * the possible actions.
 */
export function advancePackage(
  record: PackageRecord,
  fact: PackageFact,
  world: PackageFactContext,
): PackageRecord | Refusal {
  if (isTerminal(record)) return fact.type === 'restored' ? restore(record, fact, world) : refuseOver(record, fact);
  const move = moveFor(TABLE, record.state as ActiveState, record, fact, world);
  return isRefusal(move) ? move : apply(record, move, world);
}

/**
 * Undoes the operator's cancellation (SPEC P40). A package that was accepted before must be acknowledged again, because
 * Baton may have told its receiver to stop the work.
 */
function restore(record: PackageRecord, { by }: PackageFactOf<'restored'>, world: PackageFactContext) {
  const { endedBy, ...rest } = record;
  if (by !== 'operator' || record.state !== 'cancelled' || endedBy !== 'operator')
    return {
      ...overRefusal(record),
      sentence: `${record.id} stays ${stateWord(record.state)}: only a package that the operator canceled can be restored.`,
    };
  const state = record.seal === null ? 'draft' : record.questions.length > 0 ? 'clarifying' : 'pending';
  return waiting({ ...rest, state, cause: null, acknowledgement: null, reminders: 0 }, world);
}

/**
 * Records that the session of the sender or of the receiver has ended (SPEC P15). An accepted package whose receiver
 * has ended goes to another agent with the same name. If there is no such agent, the package fails.
 */
function sessionEnded(record: PackageRecord, { whose, replaced }: PackageFactOf<'session_ended'>): Move {
  if (whose === 'sender') return { patch: { senderGone: true } };
  if (record.state !== 'accepted') return {};
  return replaced === true
    ? { to: 'pending', patch: { acknowledgement: null } }
    : {
        to: 'failed',
        patch: { cause: `The session of ${record.to} ended before the work was done.`, endedBy: 'host' },
      };
}

/**
 * Applies the passage of time to a package (SPEC P19 and P22). A passed deadline may cause a reminder, or make the
 * package fail. A passed deadline may also complete a non-blocking gate to which nobody objected. A passed deadline
 * never approves anything.
 */
function tick(record: PackageRecord, { now }: PackageFactContext): Move {
  if (record.expiresAt !== null && now >= record.expiresAt && record.gate?.kind !== 'blocking')
    return { to: 'failed', patch: { cause: `The deadline ${utcTime(record.expiresAt)} passed.`, endedBy: 'host' } };
  if (record.deadlineAt === null || now < record.deadlineAt) return {};
  if (record.state === 'pending' && record.gate?.kind === 'non_blocking')
    return { to: 'completed', patch: { outcome: 'no_objection' } };
  return { rearm: true, patch: { reminders: record.reminders + 1 } };
}

/**
 * Returns whether the time until the deadline is longer than the full length of the timer (SPEC P19). This happens if
 * the clock was set back or the operator shortened the timer.
 */
export function isDeadlineTooFar(
  record: PackageRecord,
  { now, timers }: Pick<PackageFactContext, 'now' | 'timers'>,
): boolean {
  if (isTerminal(record) || record.deadlineAt === null) return false;
  return record.deadlineAt > after(now, timers[rowOf(record).timer(record)]);
}

function apply(record: PackageRecord, { to, patch, rearm = false }: Move, world: PackageFactContext): PackageRecord {
  const next: PackageRecord = { ...record, ...patch, state: to ?? record.state };
  if (isTerminal(next)) return { ...next, waiter: null, deadlineAt: null };
  if (next.state !== record.state) return waiting({ ...next, reminders: 0 }, world);
  return rearm ? waiting(next, world) : { ...next, waiter: waiterOf(next) };
}

const waiterOf = (record: PackageRecord): Party => rowOf(record).waiter(record);

/**
 * Sets the party that must act and the deadline of this party (SPEC P19). In every active state, some party must act by
 * a deadline.
 */
function waiting(record: PackageRecord, world: PackageFactContext): PackageRecord {
  const timer = rowOf(record).timer(record);
  return { ...record, waiter: waiterOf(record), deadlineAt: after(world.now, world.timers[timer]) };
}

function acknowledge(
  record: PackageRecord,
  fact: PackageFactOf<'acknowledged'>,
  world: PackageFactContext,
): Move | Refusal {
  if (isForPerson(record)) return refuseHere(record, 'acknowledged');
  const refusal = onlyFor(record, fact.by, 'receiver');
  if (refusal !== undefined) return refusal;
  const judged = validateAcknowledgment(fact.acknowledgement, world.report, record.round);
  if (judged.kind === 'refused')
    return {
      code: 'acknowledgement_incomplete',
      sentence: judged.why,
      hint:
        judged.next === 'ask'
          ? `Ask the sender: baton package ask ${record.id} "WHAT IS MISSING"`
          : `Example: baton package ack ${record.id} --task "I will …"`,
    };
  if (judged.kind === 'partial')
    return {
      to: 'clarifying',
      patch: { round: record.round + 1, questions: judged.questions, askedBy: 'receiver' },
    };
  return { to: 'accepted', patch: { acknowledgement: canonicalJson(fact.acknowledgement) } };
}

function answer(record: PackageRecord, fact: PackageFactOf<'answered'>): Move | Refusal {
  const refusal = fact.by === 'operator' ? undefined : onlyFor(record, fact.by, 'sender');
  if (refusal !== undefined) return refusal;
  const open = record.questions.filter(({ id }) => !fact.answered.includes(id));
  if (open.length > 0)
    return {
      code: 'acknowledgement_incomplete',
      sentence: `${record.id} still has unanswered questions: ${open.map(({ id }) => id).join(', ')}.`,
    };
  return {
    to: 'pending',
    patch: { seal: fact.seal, revision: record.revision + 1, questions: [], askedBy: null, ...NOTHING_TICKED },
  };
}

function complete(record: PackageRecord, fact: PackageFactOf<'completed'>, world: PackageFactContext): Move | Refusal {
  const refusal = onlyFor(record, fact.by, 'receiver');
  if (refusal !== undefined) return refusal;
  if (record.type === 'delegation' && !fact.returned)
    return {
      code: 'package_not_possible',
      sentence: `${record.id} is a delegation, so its result must be returned as a package.`,
      hint: `Return the result: baton package return ${record.id} FILE`,
    };
  const known = new Set(fact.results.filter(({ result }) => result !== 'unknown').map(({ id }) => id));
  const open = world.criteria.filter((id) => !known.has(id));
  if (open.length > 0 && !fact.returned)
    return {
      code: 'package_not_possible',
      sentence: `${record.id} has criteria without a result: ${open.join(', ')}.`,
      hint: `Report pass or fail for each: baton package complete ${record.id} ${open.map((id) => `${id}=pass`).join(' ')}`,
    };
  return { to: 'completed' };
}

/**
 * Records the decision of a person, made on the page or the command line (SPEC P20). The decision covers exactly the
 * content and artifacts that were shown.
 */
function decide(record: PackageRecord, fact: PackageFactOf<'decided'>, world: PackageFactContext): Move | Refusal {
  const refusal = refuseDecision(record, fact) ?? refuseUndecided(record, fact, world);
  if (refusal !== undefined) return refusal;
  const { type: _, items, ...given } = fact;
  const decision: GateDecision = { ...given, at: world.now };
  const { option, reason } = decision;
  if (option === 'reject') return { to: 'rejected', patch: { decision, cause: reason } };
  if (option === 'question') {
    // Put the revision number into the id of a person's question. Every answer creates a new revision, so the id is
    // unique.
    const questions = [{ id: `Q-h-${record.revision}`, text: reason }];
    return { to: 'clarifying', patch: { questions, askedBy: 'human', ...NOTHING_TICKED } };
  }
  return approve(record, decision, items);
}

function refuseDecision(record: PackageRecord, fact: PackageFactOf<'decided'>): Refusal | undefined {
  if (!isForPerson(record))
    return {
      ...refuseHere(record, 'decided'),
      sentence: `${record.id} is addressed to the agent ${record.to}. Only a package that is addressed to a person can be approved or rejected.`,
    };
  if (fact.channel === 'agent')
    return {
      code: 'agents_cannot_decide',
      sentence: `${record.id} waits for a person; an agent cannot decide it.`,
      hint: 'A person must decide about the package, on the page or on the command line.',
    };
  if (!sameSeal(record.seal, fact.seal))
    return {
      code: 'stale_content',
      sentence: `${record.id} was changed after it was shown; read it again before you decide.`,
    };
  const count = record.gate?.items ?? 0;
  const { items, option } = fact;
  if (option === 'approve' && items !== undefined && (items.length === 0 || items.some((item) => item >= count)))
    return { code: 'bad_request', sentence: `Nothing was decided: ${pointsOf(record.id, count)}` };
  if (option !== 'approve' && fact.reason.trim() === '')
    return {
      code: 'bad_request',
      sentence: `Nothing was decided: ${option === 'reject' ? 'give the reason why you reject' : 'write your question about'} ${record.id}.`,
      hint: `In the terminal: baton package decide ${record.id} ${option} --reason TEXT`,
    };
  return undefined;
}

/**
 * Refuses an approval that does not answer the question of an escalation (SPEC P20), because the author must know which
 * option the person chose.
 */
function refuseUndecided(
  { id, gate }: PackageRecord,
  { option, choice = '', reason }: PackageFactOf<'decided'>,
  { toDecide }: PackageFactContext,
): Refusal | undefined {
  const isUndecided = option === 'approve' && gate === null && choice.trim() === '' && reason.trim() === '';
  return toDecide === undefined || !isUndecided
    ? undefined
    : {
        code: 'bad_request',
        sentence: `Nothing was decided: ${id} asks you to choose (${toDecide}), so an approval must say what you chose.`,
        hint: `Give your choice: baton package decide ${id} approve --choice TEXT --reason TEXT`,
      };
}

const pointsOf = (id: string, count: number): string =>
  count === 0
    ? `${id} has no items to approve one by one.`
    : `${id} has ${count === 1 ? '1 item, whose number is 0' : `${count} items, numbered from 0 to ${count - 1}`}. Give the numbers of the items that you approve, or omit the numbers to approve all items.`;

/**
 * An approval ends the package only once all items of the gate are approved, in this approval or an earlier one (SPEC
 * P21).
 */
function approve(record: PackageRecord, decision: GateDecision, items: readonly number[] | undefined): Move {
  const count = record.gate?.items ?? 0;
  const all = Array.from({ length: count }, (_, index) => index);
  const approvedItems = [...new Set([...record.approvedItems, ...(items ?? all)])]
    .filter((item) => item < count)
    .sort((one, other) => one - other);
  const conditions = [...new Set([...(record.conditions ?? []), ...decision.conditions])];
  if (approvedItems.length < count) return { patch: { approvedItems, conditions } };
  return {
    to: 'completed',
    patch: { approvedItems, decision: { ...decision, conditions }, outcome: 'approved' },
  };
}

function refuseHere(record: PackageRecord, type: PackageFact['type']): Refusal {
  const { on = {} } = rowOf(record);
  const isTheirs = (fact: string): boolean => fact !== 'failed' || record.state === 'accepted';
  const forPerson = record.state === 'pending' && isForPerson(record);
  const possible = [...Object.keys(on), 'cancelled']
    .filter(isTheirs)
    .filter((fact) => record.state !== 'pending' || (fact === 'decided') === forPerson || fact === 'cancelled')
    .flatMap((fact) => VERBS[fact] ?? []);
  return {
    code: 'package_not_possible',
    sentence: `${record.id} ${stateInWords(record)}, so it cannot be ${type === 'progressed' ? 'reported on' : type}.`,
    hint: `The package waits for ${PARTIES[waiterOf(record)]}. Possible now: ${possible.join(', ')}.`,
  };
}

function stateInWords(record: PackageRecord): string {
  switch (record.state) {
    case 'draft':
      return 'is a draft';
    case 'pending':
      return isForPerson(record) ? "waits for a person's decision" : 'is not acknowledged yet';
    case 'clarifying':
      return 'waits for answers to questions about it';
    default:
      return 'is accepted and in progress';
  }
}

const PARTIES: Readonly<Record<Party, string>> = {
  sender: 'its sender',
  receiver: 'its receiver',
  human: 'a person',
  orchestrator: 'Baton',
};

/** The verb for each fact, as used in the API, the command line and the tools. */
const VERBS: Readonly<Record<string, string>> = {
  sealed: 'seal',
  acknowledged: 'ack',
  answered: 'answer',
  declined: 'decline',
  decided: 'decide',
  progressed: 'progress',
  completed: 'complete',
  failed: 'fail',
  cancelled: 'cancel',
};

function refuseOver(record: PackageRecord, fact: PackageFact): Refusal {
  const { id, decision } = record;
  if (fact.type === 'decided' && decision !== null)
    return {
      code: 'already_decided',
      sentence: `${id} was already decided by ${decision.by} at ${utcTime(decision.at)}: ${decision.option}.`,
    };
  return overRefusal(record);
}

export const overRefusal = ({ id, state, endedBy }: PackageRecord): Refusal => ({
  code: 'package_over',
  sentence: `${id} is ${stateWord(state)} and can no longer be changed.`,
  hint:
    state === 'cancelled' && endedBy === 'operator'
      ? `The operator can undo the cancellation: baton package restore ${id}. Or write a new package that names this package in lineage.parent.`
      : 'Write a new package that names this package in lineage.parent.',
});
