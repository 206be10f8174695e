import { lstat, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorMessage } from '../../app/error-message.ts';
import type { KnownWorktree } from '../../app/ports/worktrees.ts';
import { type Git, GitFault, ifAny, quietEnvironment, runGit } from './git-program.ts';
import { listed } from './listed-worktrees.ts';
import { withoutNewline } from './read-place.ts';

export type WorktreeHealth =
  | { readonly is: 'well' | 'folder_gone' | 'project_gone' | 'unknown_to_git' | 'link_broken' }
  /**
   * The branch of the worktree was deleted. `from` is the last known commit of that branch. If the worktree has another
   * branch or commit checked out, `isOn` is true, and agents can still work there.
   */
  | { readonly is: 'branch_gone'; readonly from: string; readonly isOn: boolean }
  | { readonly is: 'not_known'; readonly why: string };

const LOOK_MS = 10_000;
const within = (env: NodeJS.ProcessEnv): Git => ({
  env: quietEnvironment(env),
  signal: AbortSignal.timeout(LOOK_MS),
});

/**
 * Checks whether the worktree's folder and branch exist and git still knows the worktree. Uses only git commands that
 * start no other program, and changes nothing.
 */
export async function examineWorktree(env: NodeJS.ProcessEnv, worktree: KnownWorktree): Promise<WorktreeHealth> {
  try {
    return await examine(within(env), worktree);
  } catch (error) {
    return { is: 'not_known', why: errorMessage(error) };
  }
}

async function examine(git: Git, worktree: KnownWorktree): Promise<WorktreeHealth> {
  const { path, branch, projectPath, base } = worktree;
  if (!(await lstat(path).catch(() => undefined))?.isDirectory()) return { is: 'folder_gone' };
  const ask = async (folder: string, ...args: string[]): Promise<string | undefined> => {
    const answer = await ifAny(runGit(git, folder, args));
    return answer === undefined ? undefined : withoutNewline(answer);
  };
  if ((await ask(projectPath, 'rev-parse', '--git-dir').catch(unlessFolderGone)) === undefined)
    return { is: 'project_gone' };
  if (!(await listed(git, worktree)).some(([first]) => first === `worktree ${path}`)) return { is: 'unknown_to_git' };
  // Check the top folder that git reports. If the worktree's link to its repository is broken, git searches the parent
  // folders, and may report another repository around Baton's home.
  if ((await ask(path, 'rev-parse', '--show-toplevel')) !== path) return { is: 'link_broken' };
  if ((await ask(projectPath, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`)) !== undefined)
    return { is: 'well' };
  const head = await ask(path, 'rev-parse', '--verify', '--quiet', 'HEAD');
  const last = head ?? (await lastInLog(path, await ask(path, 'rev-parse', '--git-path', 'logs/HEAD')));
  const isThere = last !== undefined && (await ask(projectPath, 'cat-file', '-e', `${last}^{commit}`)) !== undefined;
  return { is: 'branch_gone', from: isThere ? last : base, isOn: head !== undefined };
}

/**
 * Treats every error of git in the project as a missing project folder, because git has the same message for a missing
 * folder and many other problems. Only a missing git program still throws an error.
 */
const unlessFolderGone = (error: unknown): undefined => {
  if (error instanceof GitFault && error.why === 'no_git') throw error;
  return undefined;
};

/**
 * Returns the commit that was last checked out in this worktree, even if the branch of the worktree no longer exists.
 */
async function lastInLog(path: string, log: string | undefined): Promise<string | undefined> {
  const text = log === undefined ? '' : await readFile(resolve(path, log), 'utf8').catch(() => '');
  return /^[0-9a-f]+ ([0-9a-f]{40,64}) /.exec(text.trimEnd().split('\n').at(-1) ?? '')?.[1];
}

/** Returns the repository that lists this folder as a worktree; undefined if there is none. */
export async function repositoryOf(env: NodeJS.ProcessEnv, path: string): Promise<string | undefined> {
  const git = within(env);
  const common = await ifAny(runGit(git, path, ['rev-parse', '--path-format=absolute', '--git-common-dir']));
  if (common === undefined) return undefined;
  const projectPath = dirname(withoutNewline(common));
  const all = await ifAny(listed(git, { projectPath }));
  return all?.some(([first]) => first === `worktree ${path}`) ? projectPath : undefined;
}
