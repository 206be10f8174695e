import type { Instant } from '../instant.ts';
import type { Refusal } from '../refusals.ts';

/** A git worktree for an agent and its successors, with one folder and one branch. */
export interface Worktree {
  readonly id: number;
  readonly projectId: number;
  readonly name: string;
  readonly branch: string;
  /** Top folder of the worktree, inside Baton's home. */
  readonly path: string;
  /**
   * The folder in which the worktree's agents work. It is below `path` if the project is a subfolder of its repository.
   */
  readonly folder: string;
  /** The commit from which the worktree was created. `baseBranch` is the branch that pointed to this commit. */
  readonly base: string;
  readonly baseBranch: string;
  /**
   * `making`: Baton is creating the worktree; after a crash, it creates the worktree again. `removing`: Baton is
   * removing the worktree; after a crash, it continues the removal.
   */
  readonly state: 'making' | 'ready' | 'removing' | 'removed';
  readonly createdAt: Instant;
  readonly removedAt: Instant | null;
}

/** The state of a worktree in git, checked before the worktree is removed. */
export interface WorktreeFacts {
  /** The uncommitted changes; null if git could not determine them. */
  readonly uncommitted: { readonly count: number; readonly untracked: number; readonly unsure: number } | null;
  /** The number of entries that git ignores (builds, local settings). These entries are deleted with the folder. */
  readonly ignored: number | null;
  /** The branch that is checked out now; null if there is none. */
  readonly branch: string | null;
  /** The number of commits that are on the worktree's branch but not on the base branch. */
  readonly ahead: number | null;
  /** The number of commits that only this branch contains. These commits are lost if the branch is deleted. */
  readonly unmerged: number | null;
  /** The number of commits that no branch contains. These commits are lost if the folder is deleted. */
  readonly unreachable: number | null;
  /** The reason why git could not determine the state, in words for people. */
  readonly problem: string | null;
}

/** The facts about a worktree if git could not determine anything. */
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

/** True if the folder is the worktree's top folder or a folder inside it. */
export const isInWorktree = (folder: string, { path }: Pick<Worktree, 'path'>): boolean =>
  folder === path || folder.startsWith(`${path}/`);

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/;

/** Refuses an invalid name, because the name becomes a folder, a branch and a command-line argument. */
export const refuseName = (name: string): Refusal | undefined =>
  NAME.test(name)
    ? undefined
    : {
        code: 'bad_worktree_name',
        sentence:
          'A worktree name consists of 1 to 50 lowercase letters, digits and hyphens, and does not begin or end with a hyphen',
      };

/** Returns the first free name for a worktree, derived from the name of its first agent. */
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
/** A kind of loss that the removal of a worktree can cause. The operator must accept each kind by its name. */
export type Loss = (typeof LOSSES)[number];

export interface Removal {
  readonly force: readonly Loss[];
  /** True if the removal also deletes the worktree's branch. */
  readonly branch: boolean;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Returns what a removal would lose, one sentence per loss. An unknown state counts as a loss. */
export function lossesOf(
  facts: WorktreeFacts,
  removal: Removal,
): readonly { readonly loss: Loss; readonly sentence: string }[] {
  const { uncommitted, unmerged, unreachable } = facts;
  const why = facts.problem === null ? '' : ` (${facts.problem.replace(/\.$/, '')})`;
  const losses: { loss: Loss; sentence: string }[] = [];
  if (uncommitted === null)
    losses.push({
      loss: 'uncommitted',
      sentence: `Baton cannot tell whether the worktree has uncommitted changes${why}`,
    });
  else if (uncommitted.count + uncommitted.unsure > 0)
    losses.push({
      loss: 'uncommitted',
      sentence: counted(uncommitted.count + uncommitted.unsure, 'uncommitted change'),
    });
  const commits = removal.branch ? unmerged : unreachable;
  if (commits === null)
    losses.push({ loss: 'unmerged', sentence: `Baton cannot tell whether the worktree has unmerged commits${why}` });
  else if (commits > 0)
    losses.push({
      loss: 'unmerged',
      sentence: `${counted(commits, 'commit')} that ${commits === 1 ? 'is' : 'are'} on no ${removal.branch ? 'other ' : ''}branch`,
    });
  return losses;
}
