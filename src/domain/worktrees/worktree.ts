import type { Instant } from '../instant.ts';
import type { Refusal } from '../refusals.ts';

/** A git worktree of its own for an agent and those that continue it: one folder, one branch. */
export interface Worktree {
  readonly id: number;
  readonly projectId: number;
  readonly name: string;
  readonly branch: string;
  /** Its top, inside Baton's home. */
  readonly path: string;
  /** Where agents work: the project may be a folder below the top of its repository. */
  readonly folder: string;
  /** The commit that it begins at, and the branch that this was the last one of. */
  readonly base: string;
  readonly baseBranch: string;
  /** `making` and `removing` are done again, or gone on with, after a crash. */
  readonly state: 'making' | 'ready' | 'removing' | 'removed';
  readonly createdAt: Instant;
  readonly removedAt: Instant | null;
}

/** What is asked of git about one, to be seen before anything is thrown away. */
export interface WorktreeFacts {
  /** null: git could not tell. */
  readonly uncommitted: { readonly count: number; readonly untracked: number; readonly unsure: number } | null;
  /** Entries that git ignores (builds, local settings): they go with the folder. */
  readonly ignored: number | null;
  /** What is checked out there now; null = no branch. */
  readonly branch: string | null;
  /** Commits on its branch that the branch it began at does not have. */
  readonly ahead: number | null;
  /** Commits that no other branch, remote branch or tag has: gone with the branch. */
  readonly unmerged: number | null;
  /** Commits on no branch at all: gone with the folder. */
  readonly unreachable: number | null;
  /** Why something is not known, in words. */
  readonly problem: string | null;
}

export const branchOf = (name: string): string => `baton/${name}`;

/** The folder itself, or one below it. */
export const isInWorktree = (folder: string, { path }: Pick<Worktree, 'path'>): boolean =>
  folder === path || folder.startsWith(`${path}/`);

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/;

/** It becomes a folder, a branch and a word on command lines. */
export const refuseName = (name: string): Refusal | undefined =>
  NAME.test(name)
    ? undefined
    : {
        code: 'bad_worktree_name',
        sentence:
          'The name of a worktree has 1 to 50 small letters, digits and hyphens, and neither begins nor ends with a hyphen',
      };

/** After whoever begins in it; the first that is free. */
export function freeName(wish: string, taken: ReadonlySet<string>): string {
  const stem =
    wish
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 40)
      .replace(/^-|-$/g, '') || 'agent';
  for (let n = 1; ; n++) {
    const name = n === 1 ? stem : `${stem}-${n}`;
    if (!taken.has(name)) return name;
  }
}

export const LOSSES = ['uncommitted', 'unmerged'] as const;
/** What the operator names when he wants to lose it. */
export type Loss = (typeof LOSSES)[number];

export interface Removal {
  readonly force: readonly Loss[];
  /** The branch goes, too. */
  readonly branch: boolean;
}

/** What would be lost by it, a sentence each; a thing that is not known counts as there. */
export function lossesOf(
  facts: WorktreeFacts,
  removal: Removal,
): readonly { readonly loss: Loss; readonly sentence: string }[] {
  const { uncommitted, unmerged, unreachable } = facts;
  const why = facts.problem === null ? '' : ` (${facts.problem.replace(/\.$/, '')})`;
  const losses: { loss: Loss; sentence: string }[] = [];
  if (uncommitted === null)
    losses.push({ loss: 'uncommitted', sentence: `whether it has uncommitted changes is not known${why}` });
  else if (uncommitted.count + uncommitted.unsure > 0)
    losses.push({ loss: 'uncommitted', sentence: `${uncommitted.count + uncommitted.unsure} uncommitted change(s)` });
  const commits = removal.branch ? unmerged : unreachable;
  if (commits === null)
    losses.push({ loss: 'unmerged', sentence: `whether it has unmerged commits is not known${why}` });
  else if (commits > 0)
    losses.push({
      loss: 'unmerged',
      sentence: `${commits} commit(s) that are on no ${removal.branch ? 'other ' : ''}branch`,
    });
  return losses;
}
