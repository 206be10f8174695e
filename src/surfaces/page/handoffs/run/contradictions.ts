import type { Run } from '../../../../contract/resources.ts';

export type Finding = Run['findings'][number];

/** The lint rules that compare a handoff document with git. All other lint rules look only at the document. */
const AGAINST_GIT: ReadonlySet<string> = new Set([
  'says_committed',
  'says_pushed',
  'other_branch',
  'other_head',
  'unknown_commit',
  'unmentioned_changes',
]);

export const isContradiction = ({ rule }: Pick<Finding, 'rule'>): boolean => AGAINST_GIT.has(rule);

/** Maps each lint rule about git to a row of the git facts. The page shows the findings of the rule beside that row. */
const ABOUT: Readonly<Record<string, string>> = {
  says_committed: 'changes',
  unmentioned_changes: 'changes',
  says_pushed: 'upstream',
  other_branch: 'branch',
  other_head: 'head',
  unknown_commit: 'head',
};

export const contradictionsAbout = (findings: readonly Finding[], fact: string): readonly Finding[] =>
  findings.filter(({ rule }) => ABOUT[rule] === fact);
