import type { PackageDetail } from '../../../contract/package-resources.ts';
import { isOperator } from './package-words.ts';

export type PersonAction = 'decide' | 'answer' | 'seal' | 'fail' | 'cancel';

type Of = Pick<PackageDetail, 'state' | 'over' | 'waiter' | 'from'>;

/** What a person can do about a package as it is. The server has the last word; this only leaves out what it would refuse. */
export function personActions({ state, over, waiter, from }: Of): readonly PersonAction[] {
  if (over) return [];
  const actions: PersonAction[] = [];
  if (state === 'pending' && waiter === 'human') actions.push('decide');
  if (state === 'clarifying') actions.push('answer');
  if (state === 'draft' && isOperator(from)) actions.push('seal');
  if (state === 'accepted') actions.push('fail');
  return [...actions, 'cancel'];
}

/** Its author is asked and can still answer; a person can answer in its place. */
export const isOthersAnswer = ({ from, waiter, state }: Pick<PackageDetail, 'from' | 'waiter' | 'state'>): boolean =>
  state === 'clarifying' && !isOperator(from) && waiter === 'sender';
