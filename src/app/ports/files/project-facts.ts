import type { GitFacts } from '../../../domain/handoffs/document/git-facts.ts';

/** Observes a project without changing it or running anything from it. Never throws: "unknown" is a valid answer. */
export interface ProjectFacts {
  /** `commits`: hashes to look up, possibly abbreviated. */
  git(folder: string, commits?: readonly string[]): Promise<GitFacts>;
  /** The paths that lie inside the folder and do not exist. Paths outside are ignored. */
  missingPaths(folder: string, paths: readonly string[]): Promise<readonly string[]>;
}
