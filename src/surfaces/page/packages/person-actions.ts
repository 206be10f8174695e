import type { PackageDetail } from '../../../contract/package-resources.ts';

export type PersonAction = 'decide' | 'answer' | 'seal' | 'complete' | 'pass' | 'fail' | 'cancel';

type Of = Pick<PackageDetail, 'state' | 'over' | 'owner' | 'from' | 'gate' | 'type' | 'questions'>;

/** What a person can do about a package as it is. The server has the last word; this only leaves out what it would refuse. */
export function personActions({ state, over, owner, from, gate, questions }: Of): readonly PersonAction[] {
  if (over) return [];
  const isOwn = owner === 'human' || (from === 'human' && owner === 'sender');
  const actions: PersonAction[] = [];
  if (state === 'awaiting_human') actions.push('decide');
  // After the last round of questions the receiver's own are before a person.
  if (state === 'clarifying' || (state === 'awaiting_human' && questions.length > 0)) actions.push('answer');
  if (state === 'draft' && from === 'human') actions.push('seal');
  // What was approved goes on when its sender begins the next step; nobody else is left if the sender is gone.
  if (state === 'accepted' && gate !== null && (isOwn || owner === 'orchestrator')) actions.push('pass');
  if (state === 'accepted' && gate === null && owner === 'human') actions.push('complete', 'fail');
  return [...actions, 'cancel'];
}

/** Written by somebody who waits for it: a person can answer in his place, but does not have to. */
export const isOthersAnswer = ({ from, owner, state }: Pick<PackageDetail, 'from' | 'owner' | 'state'>): boolean =>
  state === 'clarifying' && from !== 'human' && owner !== 'orchestrator';
