import type { PackageDetail } from '../../../../contract/packages/package-resources.ts';
import { isOperator } from '../package-words.ts';

export type PersonAction = 'decide' | 'answer' | 'seal' | 'fail' | 'cancel' | 'restore';

type Of = Pick<PackageDetail, 'state' | 'over' | 'waiter' | 'from' | 'superseded_by' | 'type'>;

/**
 * Returns the actions that a person can take on a package, which depend on the package's state. The page hides all
 * other buttons, because their requests would fail. The server checks each action itself.
 */
export function personActions({ state, over, waiter, from, superseded_by, type }: Of): readonly PersonAction[] {
  if (state === 'cancelled' && superseded_by === null && type !== 'continuation') return ['restore'];
  if (over) return [];
  const actions: PersonAction[] = [];
  if (state === 'pending' && waiter === 'human') actions.push('decide');
  if (state === 'clarifying') actions.push('answer');
  if (state === 'draft' && isOperator(from)) actions.push('seal');
  if (state === 'accepted') actions.push('fail');
  return [...actions, 'cancel'];
}

/**
 * True if a question waits for the package's author and the author is not the operator. The operator can answer instead
 * of the author.
 */
export const isOthersAnswer = ({ from, waiter, state }: Pick<PackageDetail, 'from' | 'waiter' | 'state'>): boolean =>
  state === 'clarifying' && !isOperator(from) && waiter === 'sender';
