import { execFile } from 'node:child_process';
import type { GitUnknown } from '../../domain/handoffs/document/git-facts.ts';
import { shellWord } from '../../domain/shell-quote.ts';

/**
 * Thrown if a git command failed. The code in this folder catches this error and returns a value instead, so callers
 * outside this folder never see it.
 */
export class GitFault extends Error {
  override readonly name = 'GitFault';
  readonly why: GitUnknown['why'];
  constructor(why: GitUnknown['why'], detail: string) {
    super(detail);
    this.why = why;
  }
}

export interface Git {
  readonly env: Readonly<Record<string, string>>;
  /** Aborting this signal kills every git command that still runs. */
  readonly signal: AbortSignal;
}

const MAX_OUTPUT = 64 * 1024 * 1024;

/**
 * Variables that say where the git program is and which of the operator's settings files git reads. With these
 * variables, settings from the operator's `git config --global` also apply to Baton's git commands.
 */
const KEPT = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'];

/**
 * Returns the environment for git. From Baton's environment, git gets only the variables that say where programs and
 * the operator's settings are. Further variables keep git from fetching missing objects, asking questions, taking
 * optional locks, and starting ssh, a pager or an editor.
 */
export const quietEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> => ({
  ...Object.fromEntries(KEPT.flatMap((key) => (env[key] ? [[key, env[key]]] : []))),
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_SSH_COMMAND: 'false',
  GIT_ASKPASS: 'false',
  GIT_EDITOR: 'false',
  GIT_PAGER: 'cat',
  GIT_TRACE: '0',
});

const OVERRIDES = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.untrackedCache=false'];

/** Runs one git command from `/`, so that a relative entry of the PATH never leads into the project. */
export function runGit(git: Git, folder: string, args: readonly string[], input = ''): Promise<string> {
  const all = ['--no-pager', ...OVERRIDES.flatMap((each) => ['-c', each]), '-C', folder, ...args];
  const options = {
    cwd: '/',
    env: git.env,
    signal: git.signal,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile('git', all, { ...options, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      if (git.signal.aborted) return reject(new GitFault('too_slow', 'git did not answer in time'));
      if (error.code === 'ENOENT' || error.code === 'EACCES')
        return reject(new GitFault('no_git', 'git was not found'));
      reject(new GitFault(whyOf(stderr), reasonIn(stderr) || error.message));
    });
    // A git command that ends early does not read its input. Ignore the write error, because the exit code reports the
    // failure.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** Git prints its progress before the reason for a failure, so prefer a line that begins with "fatal" or "error". */
function reasonIn(stderr: string): string | undefined {
  const lines = stderr.trim().split('\n');
  return lines.find((line) => /^(fatal|error): /.test(line)) ?? lines[0];
}

function whyOf(stderr: string): GitUnknown['why'] {
  if (stderr.includes('dubious ownership') || stderr.includes('unsafe repository')) return 'not_trusted';
  if (stderr.includes('not a git repository')) return 'not_a_repository';
  return stderr.includes('must be run in a work tree') ? 'no_work_tree' : 'failed';
}

/**
 * Returns the command with which the operator can trust a repository of another user. The command must name the top
 * folder of the repository, which may be above the given folder. Git's message about the refused repository names that
 * top folder.
 */
export function howToTrust(refusal: string, folder: string): string {
  const [, top = folder] = / repository (?:at |\()'(.*)'/.exec(refusal) ?? [];
  return `git refuses the repository ${top} because it belongs to another user. If you trust it: git config --global --add safe.directory ${shellWord(top)}`;
}

/**
 * Waits for a git command and returns its result; undefined if git reports a failure. Still throws an error if git
 * takes too long or is not installed.
 */
export async function ifAny<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof GitFault && error.why !== 'too_slow' && error.why !== 'no_git') return undefined;
    throw error;
  }
}
