import type { GitFacts } from '../../../domain/handoffs/document/git-facts.ts';

/** Looks at a project and changes nothing in it, nor runs anything of it. Never throws: not knowing is an answer too. */
export interface ProjectFacts {
  /** `commits`: hashes, perhaps shortened, to be looked up. */
  git(folder: string, commits?: readonly string[]): Promise<GitFacts>;
  /** Those of the paths that lie inside the folder and do not exist. Others are nobody's business here. */
  missingPaths(folder: string, paths: readonly string[]): Promise<readonly string[]>;
}
