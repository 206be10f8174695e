import type { PackageFinding, PackageRow } from '../../../contract/packages/package-resources.ts';
import type { Tone } from '../../../contract/words/tone.ts';
import type { Called } from '../api/party-names.ts';

type Party = PackageRow['owner'];
export type PackageType = PackageRow['type'];

export const PACKAGE_TYPES: readonly PackageType[] = [
  'sequential',
  'delegation',
  'escalation',
  'return',
  'gate',
  'continuation',
];

/** True for the two names under which the operator sends and receives packages. */
export const isOperator = (name: string): boolean => name === 'human' || name === 'orchestrator';

type Parties = Pick<PackageRow, 'from' | 'to'>;

export function partyInWords(party: Party, { from, to }: Parties, called: Called): string {
  if (party === 'sender') return `${called(from)} (sender)`;
  if (party === 'receiver') return `${called(to)} (receiver)`;
  return party === 'human' ? 'you' : 'Baton (the sender has ended)';
}

/** Returns the words for the party that must act on a package now; null if no party must act. */
export const waiterInWords = (row: Parties & Pick<PackageRow, 'waiter'>, called: Called): string | null =>
  row.waiter === null ? null : partyInWords(row.waiter, row, called);

/** Returns the number of findings, such as "2 errors, 1 hint"; empty if there are none. */
export function countFindings(findings: readonly PackageFinding[]): string {
  const count = (severity: PackageFinding['severity'], word: string): string | false => {
    const { length } = findings.filter((each) => each.severity === severity);
    return length > 0 && `${length} ${word}${length === 1 ? '' : 's'}`;
  };
  return [count('error', 'error'), count('warning', 'warning'), count('info', 'hint')].filter(Boolean).join(', ');
}

const ARTIFACT_STATES: Readonly<Record<string, readonly [words: string, tone: Tone]>> = {
  as_sealed: ['Unchanged', 'green'],
  changed: ['Changed since submitted', 'red'],
  not_sealed: ['Present, no recorded hash', 'grey'],
  missing: ['Missing', 'red'],
  link: ['Link (not followed)', 'red'],
  outside: ['Outside the project', 'red'],
  special: ['Not a regular file', 'red'],
  too_large: ['Too large to check', 'amber'],
  unreadable: ['Unreadable', 'red'],
};

export function artifactLook(state: string, role: string | undefined): { readonly words: string; readonly tone: Tone } {
  if (role === 'deleted' && state === 'missing') return { words: 'Deleted, as stated', tone: 'green' };
  const [words, tone] = Object.hasOwn(ARTIFACT_STATES, state)
    ? (ARTIFACT_STATES[state] as readonly [string, Tone])
    : ([state.replaceAll('_', ' '), 'grey'] as const);
  return { words, tone };
}
