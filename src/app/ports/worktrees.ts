import type { Removal, Worktree, WorktreeFacts } from '../../domain/worktrees/worktree.ts';

export interface WorktreeOptions {
  readonly project: { readonly id: number; readonly name: string; readonly path: string };
  readonly name: string;
  readonly branch: string;
}

/** The folder it would have and the commit it would start from. */
export type WorktreePlan = Pick<Worktree, 'path' | 'folder' | 'base' | 'baseBranch'>;

export interface WorktreeProblem {
  /** true: another name would work, because this branch or folder already exists. */
  readonly isNameTaken: boolean;
  /** Why it cannot be created, for the operator. */
  readonly sentence: string;
}

/** A worktree with its repository. */
export interface KnownWorktree extends WorktreePlan {
  readonly projectPath: string;
  readonly branch: string;
}

/**
 * Worktrees inside Baton's home. An agent can edit the programs that a repository's settings name, so nothing of the
 * repository is run here: no hook, no filter, no monitor. Files behind a filter (LFS) stay as stored, submodules stay
 * empty.
 */
export interface Worktrees {
  /** Changes nothing. */
  plan(options: WorktreeOptions): Promise<WorktreePlan | WorktreeProblem>;
  /**
   * Creates it, also from the remains of an earlier attempt; never after an agent has started in it. Throws a sentence
   * for the operator, and then leaves nothing behind.
   */
  make(worktree: KnownWorktree): Promise<void>;
  isThere(worktree: Pick<KnownWorktree, 'folder'>): Promise<boolean>;
  look(worktree: KnownWorktree): Promise<WorktreeFacts>;
  /** Removes the folder and git's record of it; with `branch` also the branch. Can be repeated. */
  remove(worktree: KnownWorktree, removal: Pick<Removal, 'branch'>): Promise<void>;
}
