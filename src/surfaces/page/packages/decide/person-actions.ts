import type { PackageDetail } from '../../../../contract/packages/package-resources.ts';
import { isOperator } from '../package-words.ts';

export type PersonAction = 'decide' | 'answer' | 'seal' | 'fail' | 'cancel';

type Of = Pick<PackageDetail, 'state' | 'over' | 'waiter' | 'from'>;

/**
 * The actions open to a person for a package in this state. The server decides; this only hides actions that it would
 * refuse.
 */
export function personActions({ state, over, waiter, from }: Of): readonly PersonAction[] {
  if (over) return [];
  const actions: PersonAction[] = [];
  if (state === 'pending' && waiter === 'human') actions.push('decide');
  if (state === 'clarifying') actions.push('answer');
  if (state === 'draft' && isOperator(from)) actions.push('seal');
  if (state === 'accepted') actions.push('fail');
  return [...actions, 'cancel'];
}

/** True if the package's author is asked and can still answer; a person may answer instead. */
export const isOthersAnswer = ({ from, waiter, state }: Pick<PackageDetail, 'from' | 'waiter' | 'state'>): boolean =>
  state === 'clarifying' && !isOperator(from) && waiter === 'sender';
