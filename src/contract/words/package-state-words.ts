import type { PackageRow } from '../packages/package-resources.ts';
import type { Tone } from './tone.ts';

type State = PackageRow['state'];

const STATES: Readonly<Record<State, readonly [word: string, tone: Tone]>> = {
  draft: ['Draft', 'grey'],
  pending: ['Pending', 'blue'],
  clarifying: ['Clarifying', 'amber'],
  accepted: ['Accepted', 'green'],
  completed: ['Completed', 'green'],
  rejected: ['Rejected', 'red'],
  failed: ['Failed', 'red'],
  cancelled: ['Canceled', 'grey'],
};

export const PACKAGE_STATES = Object.keys(STATES) as readonly State[];

/**
 * Returns a package state in words. For a state that only a newer version of Baton knows, returns the API name of the
 * state.
 */
export const stateLook = (
  state: string,
  waiter: string | null = null,
): { readonly word: string; readonly tone: Tone } => {
  if (state === 'pending' && waiter === 'human') return { word: 'Needs your decision', tone: 'violet' };
  const [word, tone] = Object.hasOwn(STATES, state)
    ? STATES[state as State]
    : ([state.replaceAll('_', ' '), 'grey'] as const);
  return { word, tone };
};
