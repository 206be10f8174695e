import type { GitFacts } from '../../../domain/handoffs/document/git-facts.ts';

/**
 * Observes a project without changing it and without running any of its programs. Never throws: if an observation
 * fails, its result is "unknown".
 */
export interface ProjectFacts {
  /**
   * Returns the state of the git repository. The state is read after this call begins, and never comes from an earlier
   * reading. `commits` are hashes of commits to look up, full or abbreviated.
   */
  git(folder: string, commits?: readonly string[]): Promise<GitFacts>;
  /** Returns the paths inside the folder that do not exist. Paths outside the folder are ignored. */
  missingPaths(folder: string, paths: readonly string[]): Promise<readonly string[]>;
}
