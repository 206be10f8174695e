import { GitFault, quietEnvironment, runGit } from './git-program.ts';

const PATIENCE_MS = 10_000;
const IDENTITY = ['-c', 'user.name=Baton demo', '-c', 'user.email=demo@baton.invalid'];

/**
 * Turns a folder that Baton created into a git repository, with all files in a first commit. Returns false if git is
 * missing or fails.
 */
export async function firstCommit(folder: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  // Ignore the operator's own git configuration, with which git might try to sign the commit and ask for a passphrase.
  const quiet = { ...quietEnvironment(env), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const git = { env: quiet, signal: AbortSignal.timeout(PATIENCE_MS) };
  try {
    await runGit(git, folder, ['-c', 'init.defaultBranch=main', 'init', '--quiet']);
    await runGit(git, folder, ['add', '--all']);
    await runGit(git, folder, [...IDENTITY, 'commit', '--quiet', '--message', 'tally: first sketch']);
    return true;
  } catch (error) {
    if (error instanceof GitFault) return false;
    throw error;
  }
}
