import type { Removal, Worktree, WorktreeFacts } from '../../domain/worktrees/worktree.ts';

export interface WorktreeOptions {
  readonly project: { readonly id: number; readonly name: string; readonly path: string };
  readonly name: string;
  readonly branch: string;
}

/** The folder that a worktree would have, and the commit at which it would start. */
export type WorktreePlan = Pick<Worktree, 'path' | 'folder' | 'base' | 'baseBranch'>;

export interface WorktreeProblem {
  /** True if another name would solve the problem, because a branch or folder with this name already exists. */
  readonly isNameTaken: boolean;
  /** A sentence for the operator that says why the worktree cannot be created. */
  readonly sentence: string;
}

/** A worktree together with its project folder and its branch. */
export interface KnownWorktree extends WorktreePlan {
  readonly projectPath: string;
  readonly branch: string;
}

/**
 * Git worktrees inside Baton's home. Baton runs no hook, filter or monitor of a repository, because an agent may have
 * edited these programs. As a consequence, files that need a filter (LFS) are not converted, and submodules stay empty.
 */
export interface Worktrees {
  /** Plans a worktree without changing anything; returns a problem if the worktree cannot be created. */
  plan(options: WorktreeOptions): Promise<WorktreePlan | WorktreeProblem>;
  /**
   * Creates the worktree, even if an earlier attempt left parts of it. Must not be called after an agent has started in
   * the worktree. If the creation fails, removes all parts and throws an error with a message for the operator.
   */
  make(worktree: KnownWorktree): Promise<void>;
  isThere(worktree: Pick<KnownWorktree, 'folder'>): Promise<boolean>;
  look(worktree: KnownWorktree): Promise<WorktreeFacts>;
  /**
   * Removes the folder and git's record of the folder. With `branch`, also removes the branch. The removal can be
   * repeated after a crash.
   */
  remove(worktree: KnownWorktree, removal: Pick<Removal, 'branch'>): Promise<void>;
}
