import type { Run } from '../../../../contract/resources.ts';

export interface GitRow {
  readonly fact: 'branch' | 'head' | 'changes' | 'upstream';
  readonly label: string;
  readonly value: string;
  readonly files: readonly { readonly path: string; readonly state: string }[];
}

/** The facts from git that this page reads. The API contract does not declare these fields. */
interface Repository {
  readonly branch?: string | null;
  readonly head?: string | null;
  readonly dirty?: {
    readonly count: number;
    readonly untracked: number;
    readonly unsure?: number;
    readonly files: readonly { readonly path: string; readonly state: string }[];
  } | null;
  readonly diffstat?: { readonly files: number; readonly insertions: number; readonly deletions: number } | null;
  readonly upstream?: { readonly name: string; readonly ahead: number; readonly behind: number } | null;
}

/** Returns the facts from git, row by row; no rows if git failed. */
export function gitRows(git: Run['git']): readonly GitRow[] {
  if (git?.kind !== 'repository') return [];
  const { branch, head, dirty, diffstat, upstream } = git as Repository;
  return [
    { fact: 'branch', label: 'Branch', value: branch ?? 'none checked out', files: [] },
    { fact: 'head', label: 'Latest commit', value: head?.slice(0, 12) ?? 'none yet', files: [] },
    { fact: 'changes', label: 'Uncommitted', value: changes(dirty, diffstat), files: dirty?.files ?? [] },
    { fact: 'upstream', label: 'Upstream', value: position(upstream), files: [] },
  ];
}

/** Why git failed; null if git did not fail. */
export const gitTrouble = (git: Run['git']): string | null =>
  git?.kind === 'unknown' ? (typeof git.sentence === 'string' ? git.sentence : 'Git status is not available.') : null;

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`;

function changes(dirty: Repository['dirty'], diffstat: Repository['diffstat']): string {
  if (dirty === null || dirty === undefined) return 'unknown';
  const unsure = dirty.unsure ? `, ${dirty.unsure} unknown` : '';
  if (dirty.count === 0) return `none${unsure}`;
  const lines = diffstat ? `, +${diffstat.insertions} −${diffstat.deletions} lines` : '';
  const untracked = dirty.untracked > 0 ? ` (${dirty.untracked} untracked)` : '';
  return `${count(dirty.count, 'file')}${untracked}${lines}${unsure}`;
}

function position(upstream: Repository['upstream']): string {
  if (upstream === null || upstream === undefined) return 'none';
  const { name, ahead, behind } = upstream;
  const away = [ahead > 0 ? `${ahead} ahead` : '', behind > 0 ? `${behind} behind` : ''].filter(Boolean).join(', ');
  return away === '' ? `${name}, up to date` : `${name}, ${away}`;
}
