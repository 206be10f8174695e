import type { Refusal } from '../refusals.ts';
import { canonicalJson } from './canonical-json.ts';
import { approvalStands, decide, NOTHING_TICKED, refuseDecision, reopened } from './gate.ts';
import { judgeAcknowledgement } from './judge-acknowledgement.ts';
import { refuseWrite } from './ownership.ts';
import type { PackageFactOf, PackageWorld } from './package-facts.ts';
import type { PackageMove, StateRow } from './package-move.ts';
import { type PackageRecord, senderOrEscrow } from './record.ts';

const goesToHuman = ({ to, gate }: PackageRecord): boolean => to === 'human' || gate !== null;

export const draft: StateRow = {
  waiter: (record) => record.owner,
  timer: 'draft',
  on: {
    edited: (record, fact) => refuseWrite(record, fact) ?? { rearm: true },
    sealed: (record, fact) => {
      if (fact.errors > 0)
        return {
          code: 'not_sealable',
          sentence: `${record.id} has ${fact.errors} errors and stays a draft.`,
          hint: 'Mend what the lint names; warnings do not keep it from being sealed.',
        };
      return refuseWrite(record, fact) ?? { to: 'pending', patch: { seal: fact.seal, revision: 1 } };
    },
  },
};

const openGate = (record: PackageRecord): PackageMove | Refusal =>
  goesToHuman(record)
    ? { to: 'awaiting_human', wishes: [{ kind: 'remind', whom: 'human' }] }
    : { code: 'package_not_possible', sentence: `${record.id} goes to an agent and has no gate.` };

export const pending: StateRow = {
  waiter: () => 'orchestrator',
  timer: 'deliver',
  on: {
    delivery_seen: (record, { verdict }) => {
      if (verdict === 'delivered' && !goesToHuman(record)) return { to: 'delivered' };
      // Never sent again by itself: it may have arrived.
      return verdict === 'unconfirmed' ? { wishes: [{ kind: 'probe_delivery' }] } : {};
    },
    gate_opened: openGate,
    failed: notTaken,
  },
};

/** P26. Only the host can know that nobody will take it any more. */
function notTaken(record: PackageRecord, { by, cause }: PackageFactOf<'failed'>): PackageMove | Refusal {
  return by === 'host'
    ? { to: 'failed', owner: senderOrEscrow(record), patch: { cause } }
    : { code: 'package_not_possible', sentence: `${record.id} is ${record.state}: nobody has begun what could fail.` };
}

export const delivered: StateRow = {
  waiter: () => 'receiver',
  timer: 'acknowledge',
  on: {
    gate_opened: openGate,
    failed: notTaken,
    acknowledged: acknowledge,
    declined: (record, { by, code, reason }) =>
      by === 'receiver'
        ? {
            to: 'rejected',
            patch: { cause: reason === undefined ? code : `${code}: ${reason}` },
            wishes: [{ kind: 'pop_frame', status: 'declined' }],
          }
        : { code: 'forbidden', sentence: `Only the receiver can decline ${record.id}.` },
  },
};

function acknowledge(record: PackageRecord, fact: PackageFactOf<'acknowledged'>, world: PackageWorld) {
  if (fact.by !== 'receiver')
    return { code: 'forbidden', sentence: `Only the receiver can acknowledge ${record.id}.` } as const;
  const { seal, round } = record;
  const judged = judgeAcknowledgement(fact.acknowledgement, { seal, round, ...world });
  if (judged.kind === 'refused')
    return {
      code: 'acknowledgement_incomplete',
      sentence: judged.why,
      hint: `See what it says now, and how it is taken: baton package receive ${record.id}`,
    } as const;
  if (judged.kind === 'partial') return askBack(record, judged.questions, world);
  const pushes = record.type === 'delegation' || record.type === 'escalation';
  return {
    to: 'accepted',
    owner: 'receiver',
    patch: { acknowledgement: canonicalJson(fact.acknowledgement) },
    wishes: pushes ? [{ kind: 'push_frame' }] : [],
  } satisfies PackageMove;
}

/** P18 */
function askBack(record: PackageRecord, questions: PackageRecord['questions'], world: PackageWorld): PackageMove {
  const patch = { round: record.round + 1, questions, askedBy: 'receiver' as const };
  if (patch.round > world.rounds)
    return {
      to: 'awaiting_human',
      patch,
      wishes: [{ kind: 'escalate', why: `${record.id} was not understood after ${world.rounds} rounds of questions.` }],
    };
  return { to: 'clarifying', patch, wishes: [{ kind: 'send_questions', questions }] };
}

function answer(record: PackageRecord, fact: PackageFactOf<'answered'>): PackageMove | Refusal {
  // A person may answer for a sender that is gone.
  const refusal = fact.by === 'operator' ? undefined : refuseWrite(record, fact);
  const open = record.questions.filter(({ id }) => !fact.answered.includes(id));
  if (refusal !== undefined) return refusal;
  if (open.length > 0)
    return {
      code: 'acknowledgement_incomplete',
      sentence: `These questions of ${record.id} are not answered: ${open.map(({ id }) => id).join(', ')}.`,
    };
  return {
    to: record.askedBy === 'human' ? 'awaiting_human' : 'delivered',
    patch: { seal: fact.seal, revision: record.revision + 1, questions: [], askedBy: null, ...NOTHING_TICKED },
  };
}

export const clarifying: StateRow = {
  waiter: (record) => record.owner,
  timer: 'clarify',
  on: { answered: answer },
};

const noQuestions = ({ id }: PackageRecord): Refusal => ({
  code: 'package_not_possible',
  sentence: `${id} waits for a person's decision, so it cannot be answered.`,
  hint: `A person decides it: baton package decide ${id} approve|reject|question --reason TEXT`,
});

export const awaitingHuman: StateRow = {
  waiter: () => 'human',
  timer: 'gate',
  on: {
    decided: (record, fact, world) => refuseDecision(record, fact) ?? decide(record, fact, world),
    // P18. Who was asked after the last round can say what the receiver wanted to know.
    answered: (record, fact) =>
      fact.by === 'operator' && record.askedBy === 'receiver' ? answer(record, fact) : noQuestions(record),
    // A change under the eyes of whoever decides: what was ticked so far was something else.
    content_seen: (_, { seal }) => ({ patch: { seal, ...NOTHING_TICKED } }),
  },
  // P22: silence is no approval. Where work went on meanwhile, it is recorded as what it is.
  tooLate: ({ gate }) =>
    gate?.kind === 'non_blocking' ? { to: 'completed', patch: { outcome: 'no_objection' } } : undefined,
};

export const accepted: StateRow = {
  waiter: (record) => record.owner,
  timer: 'work',
  on: {
    acknowledged: (record, { acknowledgement }): PackageMove | Refusal =>
      record.acknowledgement === canonicalJson(acknowledgement)
        ? {}
        : {
            code: 'package_not_possible',
            sentence: `${record.id} was acknowledged already, in other words.`,
            hint: `Whoever took it ends it: baton package complete ${record.id}, or baton package fail ${record.id}`,
          },
    progressed: (record, fact) => refuseWrite(record, fact) ?? { rearm: true },
    content_seen: (record, { seal }) => (record.gate === null || approvalStands(record, seal) ? {} : reopened(seal)),
    gate_passed: (record, { seal }) => {
      if (record.gate === null) return { code: 'package_not_possible', sentence: `${record.id} has no gate.` };
      return approvalStands(record, seal) ? { to: 'completed' } : reopened(seal);
    },
    completed: complete,
    failed: (record, fact) =>
      (fact.by === 'host' ? undefined : refuseWrite(record, fact)) ?? {
        to: 'failed',
        owner: senderOrEscrow(record),
        patch: { cause: fact.cause },
        wishes: [{ kind: 'pop_frame', status: 'failed' }],
      },
  },
};

function complete(record: PackageRecord, fact: PackageFactOf<'completed'>, world: PackageWorld): PackageMove | Refusal {
  const refusal = refuseWrite(record, fact);
  if (refusal !== undefined) return refusal;
  if (record.gate !== null)
    return { code: 'package_not_possible', sentence: `${record.id} is a gate: it ends when the next step begins.` };
  const known = new Set(fact.results.filter(({ result }) => result !== 'unknown').map(({ id }) => id));
  const open = world.criteria.filter((id) => !known.has(id));
  if (open.length > 0)
    return {
      code: 'package_not_possible',
      sentence: `These criteria of ${record.id} have no result: ${open.join(', ')}.`,
      hint: `Say pass or fail of each: baton package complete ${record.id} ${open.map((id) => `${id}=pass`).join(' ')}`,
    };
  if (record.type !== 'delegation') return { to: 'completed' };
  if (!fact.returned)
    return {
      code: 'package_not_possible',
      sentence: `${record.id} is a delegation: seal its return first.`,
      hint: `Give it back: baton package return ${record.id} FILE`,
    };
  return { to: 'completed', owner: senderOrEscrow(record), wishes: [{ kind: 'pop_frame', status: 'completed' }] };
}
