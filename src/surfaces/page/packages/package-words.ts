import type { PackageFinding, PackageRow } from '../../../contract/packages/package-resources.ts';
import type { Tone } from '../../../contract/words/tone.ts';

type State = PackageRow['state'];
type Party = PackageRow['owner'];
export type PackageType = PackageRow['type'];

const STATES: Readonly<Record<State, readonly [word: string, tone: Tone]>> = {
  draft: ['Draft', 'grey'],
  pending: ['Waiting', 'blue'],
  clarifying: ['Questions asked', 'amber'],
  accepted: ['Accepted', 'green'],
  completed: ['Completed', 'green'],
  rejected: ['Rejected', 'red'],
  failed: ['Failed', 'red'],
  cancelled: ['Cancelled', 'grey'],
};

export const PACKAGE_STATES = Object.keys(STATES) as readonly State[];

/** A newer server may know a state that a page left open does not. */
export const stateLook = (
  state: string,
  waiter: string | null = null,
): { readonly word: string; readonly tone: Tone } => {
  if (state === 'pending' && waiter === 'human') return { word: 'Waits for a person', tone: 'violet' };
  const [word, tone] = Object.hasOwn(STATES, state)
    ? STATES[state as State]
    : ([state.replaceAll('_', ' '), 'grey'] as const);
  return { word, tone };
};

export const PACKAGE_TYPES: readonly PackageType[] = [
  'sequential',
  'delegation',
  'escalation',
  'return',
  'gate',
  'continuation',
];

/** The names under which the operator sends and receives. */
export const isOperator = (name: string): boolean => name === 'human' || name === 'orchestrator';

type Parties = Pick<PackageRow, 'from' | 'to'>;

export function partyInWords(party: Party, { from, to }: Parties): string {
  if (party === 'sender') return isOperator(from) ? 'you, its sender' : `its sender ${from}`;
  if (party === 'receiver') return isOperator(to) ? 'you, its receiver' : `its receiver ${to}`;
  return party === 'human' ? 'a person' : 'Baton, in place of a sender that is gone';
}

/** The party that must act now. */
export const waiterInWords = (row: Parties & Pick<PackageRow, 'waiter'>): string | null =>
  row.waiter === null ? null : partyInWords(row.waiter, row);

/** Such as "2 errors, 1 hint"; empty if there is none. */
export function countFindings(findings: readonly PackageFinding[]): string {
  const count = (severity: PackageFinding['severity'], word: string): string | false => {
    const { length } = findings.filter((each) => each.severity === severity);
    return length > 0 && `${length} ${word}${length === 1 ? '' : 's'}`;
  };
  return [count('error', 'error'), count('warning', 'warning'), count('info', 'hint')].filter(Boolean).join(', ');
}

const ARTIFACT_STATES: Readonly<Record<string, readonly [words: string, tone: Tone]>> = {
  as_sealed: ['as it was sealed', 'green'],
  changed: ['changed since it was sealed', 'red'],
  not_sealed: ['there, without a seal', 'grey'],
  missing: ['not there', 'red'],
  link: ['a link, which is not followed', 'red'],
  outside: ['outside of the project', 'red'],
  special: ['no regular file', 'red'],
  too_large: ['too large to be looked at', 'amber'],
  unreadable: ['cannot be read', 'red'],
};

export function artifactLook(state: string, role: string | undefined): { readonly words: string; readonly tone: Tone } {
  if (role === 'deleted' && state === 'missing') return { words: 'deleted, as the package says', tone: 'green' };
  const [words, tone] = Object.hasOwn(ARTIFACT_STATES, state)
    ? (ARTIFACT_STATES[state] as readonly [string, Tone])
    : ([state.replaceAll('_', ' '), 'grey'] as const);
  return { words, tone };
}
