import type { Instant } from '../instant.ts';
import type { Refusal } from '../refusals.ts';

/** A git worktree for an agent and its successors: one folder, one branch. */
export interface Worktree {
  readonly id: number;
  readonly projectId: number;
  readonly name: string;
  readonly branch: string;
  /** Top folder of the worktree, inside Baton's home. */
  readonly path: string;
  /** Working directory of agents: the project may be a subfolder of its repository. */
  readonly folder: string;
  /** The commit that the worktree was created from, and the branch whose tip that was. */
  readonly base: string;
  readonly baseBranch: string;
  /** After a crash, `making` and `removing` are repeated or continued. */
  readonly state: 'making' | 'ready' | 'removing' | 'removed';
  readonly createdAt: Instant;
  readonly removedAt: Instant | null;
}

/** The state of a worktree in git, checked before it is removed. */
export interface WorktreeFacts {
  /** null: git could not tell. */
  readonly uncommitted: { readonly count: number; readonly untracked: number; readonly unsure: number } | null;
  /** Entries that git ignores (builds, local settings); they are deleted with the folder. */
  readonly ignored: number | null;
  /** The branch that is checked out now; null = none. */
  readonly branch: string | null;
  /** Commits on its branch that the base branch does not have. */
  readonly ahead: number | null;
  /** Commits on no other branch, remote branch or tag: lost if the branch is deleted. */
  readonly unmerged: number | null;
  /** Commits on no branch at all: lost with the folder. */
  readonly unreachable: number | null;
  /** Why git could not answer, in words. */
  readonly problem: string | null;
}

/** Without an answer of git. */
export const UNKNOWN_FACTS: WorktreeFacts = {
  uncommitted: null,
  ignored: null,
  branch: null,
  ahead: null,
  unmerged: null,
  unreachable: null,
  problem: null,
};

export const branchOf = (name: string): string => `baton/${name}`;

/** True for the worktree's folder and its subfolders. */
export const isInWorktree = (folder: string, { path }: Pick<Worktree, 'path'>): boolean =>
  folder === path || folder.startsWith(`${path}/`);

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/;

/** The name becomes a folder, a branch and a command-line argument. */
export const refuseName = (name: string): Refusal | undefined =>
  NAME.test(name)
    ? undefined
    : {
        code: 'bad_worktree_name',
        sentence:
          'A worktree name consists of 1 to 50 lowercase letters, digits and hyphens, and does not begin or end with a hyphen',
      };

/** The first free name, derived from the first agent in the worktree. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const stem =
    wanted
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 40)
      .replace(/^-|-$/g, '') || 'agent';
  for (let n = 1; ; n++) {
    const name = n === 1 ? stem : `${stem}-${n}`;
    if (!taken.has(name)) return name;
  }
}

export const LOSSES = ['uncommitted', 'unmerged'] as const;
/** A loss that the operator accepts by name. */
export type Loss = (typeof LOSSES)[number];

export interface Removal {
  readonly force: readonly Loss[];
  /** Delete the branch as well. */
  readonly branch: boolean;
}

/** The losses of a removal, one sentence each. An unknown state counts as a loss. */
export function lossesOf(
  facts: WorktreeFacts,
  removal: Removal,
): readonly { readonly loss: Loss; readonly sentence: string }[] {
  const { uncommitted, unmerged, unreachable } = facts;
  const why = facts.problem === null ? '' : ` (${facts.problem.replace(/\.$/, '')})`;
  const losses: { loss: Loss; sentence: string }[] = [];
  if (uncommitted === null)
    losses.push({ loss: 'uncommitted', sentence: `Baton cannot tell whether it has uncommitted changes${why}` });
  else if (uncommitted.count + uncommitted.unsure > 0)
    losses.push({ loss: 'uncommitted', sentence: `${uncommitted.count + uncommitted.unsure} uncommitted change(s)` });
  const commits = removal.branch ? unmerged : unreachable;
  if (commits === null)
    losses.push({ loss: 'unmerged', sentence: `Baton cannot tell whether it has unmerged commits${why}` });
  else if (commits > 0)
    losses.push({
      loss: 'unmerged',
      sentence: `${commits} commit(s) on no ${removal.branch ? 'other ' : ''}branch`,
    });
  return losses;
}
