import type { Removal, Worktree, WorktreeFacts } from '../../domain/worktrees/worktree.ts';

export interface WorktreeOptions {
  readonly project: { readonly id: number; readonly name: string; readonly path: string };
  readonly name: string;
  readonly branch: string;
}

/** Where it would lie and what it would begin at. */
export type WorktreePlan = Pick<Worktree, 'path' | 'folder' | 'base' | 'baseBranch'>;

export interface WorktreeProblem {
  /** Another name would do: the branch or the folder is there already. */
  readonly isNameTaken: boolean;
  /** Why it cannot be made, for the operator. */
  readonly sentence: string;
}

/** A worktree together with the repository that it is one of. */
export interface KnownWorktree extends WorktreePlan {
  readonly projectPath: string;
  readonly branch: string;
}

/**
 * Worktrees inside Baton's home. An agent can write what a repository's settings name, so nothing of the repository is
 * run here: no hook, no filter, no monitor. Files behind a filter (LFS) stay as they are stored, submodules stay empty.
 */
export interface Worktrees {
  /** Changes nothing. */
  plan(wish: WorktreeOptions): Promise<WorktreePlan | WorktreeProblem>;
  /**
   * Makes it, from whatever an earlier try has left; never after an agent has begun in it. Throws with words for the
   * operator, and then nothing of it is left.
   */
  make(worktree: KnownWorktree): Promise<void>;
  isThere(worktree: Pick<KnownWorktree, 'folder'>): Promise<boolean>;
  look(worktree: KnownWorktree): Promise<WorktreeFacts>;
  /** The folder and what git knows of it; with `branch` also the branch. Repeatable. */
  remove(worktree: KnownWorktree, removal: Pick<Removal, 'branch'>): Promise<void>;
}
