import type { Refusal } from '../refusals.ts';
import type { PackageFactOf, PackageWorld } from './package-facts.ts';
import type { PackageMove } from './package-move.ts';
import { type GateDecision, type PackageRecord, type Seal, sameSeal, senderOrEscrow } from './record.ts';

/** Something else is asked from here on: what was approved so far, and under which conditions, was about what was there. */
export const NOTHING_TICKED = { approvedItems: [], conditions: [] } as const;

/** P20: a person decides, through a person's channel, about what is there now, and says why. */
export function refuseDecision(record: PackageRecord, fact: PackageFactOf<'decided'>): Refusal | undefined {
  if (fact.channel === 'agent')
    return {
      code: 'agents_cannot_decide',
      sentence: `${record.id} waits for a person; an agent cannot decide it.`,
      hint: 'Decide it in the page or on the command line.',
    };
  if (!sameSeal(record.seal, fact.seal))
    return {
      code: 'stale_content',
      sentence: `${record.id} was changed after it was shown; look at it again and decide then.`,
    };
  const { items } = fact;
  const count = record.gate?.items ?? 0;
  if (fact.option === 'approve' && items !== undefined && (items.length === 0 || items.some((item) => item >= count)))
    return { code: 'bad_request', sentence: `Nothing was decided: ${pointsOf(record.id, count)}` };
  if (fact.option !== 'approve' && fact.reason.trim() === '')
    return {
      code: 'bad_request',
      sentence: fact.option === 'reject' ? 'Say why it is rejected.' : 'Say what the question is.',
    };
  return undefined;
}

const pointsOf = (id: string, count: number): string =>
  count === 0
    ? `${id} has no points to approve one by one.`
    : `${id} has ${count} ${count === 1 ? 'point' : 'points'}, counted from 0; name those that you approve, or none for all of them.`;

export function decide(record: PackageRecord, fact: PackageFactOf<'decided'>, world: PackageWorld): PackageMove {
  const { option, by, channel, reason, conditions, seal } = fact;
  const decision: GateDecision = { option, by, channel, at: world.now, reason, conditions, seal };
  if (option === 'reject')
    return {
      to: 'rejected',
      owner: senderOrEscrow(record),
      patch: { decision, cause: reason },
      wishes: [{ kind: 'ask_for_rework', reason }],
    };
  if (option === 'question') {
    // Every answer makes a revision, so no two questions of a person have the same id.
    const questions = [{ id: `Q-h-${record.revision}`, text: reason }];
    return {
      to: 'clarifying',
      patch: { questions, askedBy: 'human', ...NOTHING_TICKED },
      wishes: [{ kind: 'send_questions', questions }],
    };
  }
  return approve(record, decision, fact.items);
}

/** Some items can be approved; the gate is only when all are. */
function approve(record: PackageRecord, decision: GateDecision, items: readonly number[] | undefined): PackageMove {
  const count = record.gate?.items ?? 0;
  const all = Array.from({ length: count }, (_, index) => index);
  const approvedItems = [...new Set([...record.approvedItems, ...(items ?? all)])]
    .filter((item) => item < count)
    .sort((one, other) => one - other);
  const conditions = [...new Set([...(record.conditions ?? []), ...decision.conditions])];
  if (approvedItems.length < count) return { patch: { approvedItems, conditions } };
  // A package between agents that a person was asked about goes back to its receiver, who has yet to accept it, with his words.
  if (record.gate === null && record.to !== 'human')
    return { to: 'delivered', patch: { decision, questions: [], askedBy: null } };
  return {
    to: 'accepted',
    owner: record.gate === null ? 'human' : record.owner,
    patch: { approvedItems, decision: { ...decision, conditions }, outcome: 'approved' },
  };
}

/** P21: what was approved is what was seen; anything else has to be looked at again. */
export const approvalStands = ({ decision }: PackageRecord, seal: Seal): boolean =>
  decision?.option === 'approve' && sameSeal(decision.seal, seal);

export const reopened = (seal: Seal): PackageMove => ({
  to: 'awaiting_human',
  patch: { seal, decision: null, outcome: null, ...NOTHING_TICKED },
  wishes: [{ kind: 'remind', whom: 'human' }],
});
