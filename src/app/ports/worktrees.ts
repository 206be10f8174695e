import type { Removal, Worktree, WorktreeFacts } from '../../domain/worktrees/worktree.ts';

export interface WorktreeOptions {
  readonly project: { readonly id: number; readonly name: string; readonly path: string };
  readonly name: string;
  readonly branch: string;
}

/** The folder that a worktree would have, and the commit at which it would start. */
export type WorktreePlan = Pick<Worktree, 'path' | 'folder' | 'base' | 'baseBranch'>;

export interface WorktreeProblem {
  /** true if another name would work, because only this branch or folder already exists. */
  readonly isNameTaken: boolean;
  /** Tells the operator why the worktree cannot be created. */
  readonly sentence: string;
}

/** A worktree with its repository. */
export interface KnownWorktree extends WorktreePlan {
  readonly projectPath: string;
  readonly branch: string;
}

/**
 * Worktrees inside Baton's home. An agent can edit the programs that the git settings of a repository name, so no hook,
 * filter or monitor of the repository is run here. Files that need a filter (LFS) are therefore not converted, and
 * submodules stay empty.
 */
export interface Worktrees {
  /** Plans a worktree without changing anything; returns a problem if the worktree cannot be created. */
  plan(options: WorktreeOptions): Promise<WorktreePlan | WorktreeProblem>;
  /**
   * Creates the worktree, also if an earlier attempt left parts of it. Must not be called after an agent has started in
   * it. On failure, removes all parts and throws a sentence for the operator.
   */
  make(worktree: KnownWorktree): Promise<void>;
  isThere(worktree: Pick<KnownWorktree, 'folder'>): Promise<boolean>;
  look(worktree: KnownWorktree): Promise<WorktreeFacts>;
  /** Removes the folder and git's record of it, and with `branch` also the branch. Can be repeated after a crash. */
  remove(worktree: KnownWorktree, removal: Pick<Removal, 'branch'>): Promise<void>;
}
