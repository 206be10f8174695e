import type { GitFacts } from '../../../domain/handoffs/document/git-facts.ts';

/**
 * Observes a project without changing it or running any of its programs. Never throws. If an observation fails, the
 * result is "unknown".
 */
export interface ProjectFacts {
  /**
   * Returns the state of the git repository. The reading begins only after the call, so the state is never older than
   * the call. `commits` are hashes to look up. A hash may be abbreviated.
   */
  git(folder: string, commits?: readonly string[]): Promise<GitFacts>;
  /** Returns the paths inside the folder that do not exist. Paths outside the folder are ignored. */
  missingPaths(folder: string, paths: readonly string[]): Promise<readonly string[]>;
}
