import type { KnownWorktree } from '../../app/ports/worktrees.ts';
import { type Git, runGit } from './git-program.ts';

/** Returns the worktrees that git lists for a repository. Each worktree is returned as the lines of its entry. */
export async function listed(
  git: Git,
  { projectPath }: Pick<KnownWorktree, 'projectPath'>,
): Promise<readonly (readonly string[])[]> {
  const output = await runGit(git, projectPath, ['worktree', 'list', '--porcelain']);
  return output.split('\n\n').map((entry) => entry.split('\n'));
}
