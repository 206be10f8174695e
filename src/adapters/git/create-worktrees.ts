import { lstat, mkdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { errorMessage } from '../../app/error-message.ts';
import type {
  KnownWorktree,
  WorktreeOptions,
  WorktreePlan,
  WorktreeProblem,
  Worktrees,
} from '../../app/ports/worktrees.ts';
import { withoutControls } from '../../domain/plain-text.ts';
import { UNKNOWN_FACTS } from '../../domain/worktrees/worktree.ts';
import { type Git, GitFault, howToTrust, ifAny, quietEnvironment, runGit } from './git-program.ts';
import { listed } from './listed-worktrees.ts';
import { populateWorktree } from './populate-worktree.ts';
import { withoutNewline } from './read-place.ts';
import { inScratchFolder } from './scratch-folder.ts';
import { readWorktreeFacts } from './worktree-facts.ts';

export interface WorktreesOptions {
  readonly env: NodeJS.ProcessEnv;
  /** The folder for worktrees, inside Baton's home. */
  readonly folder: string;
  readonly makeMs?: number;
  readonly lookMs?: number;
}

/**
 * Baton runs `git worktree add` without a checkout, so git only registers the worktree and runs no filter. Baton's own
 * `core.hooksPath` keeps the repository's hooks from running. Git then writes the files with settings that Baton
 * controls (populate-worktree).
 */
export function createWorktrees({ env, folder, makeMs = 600_000, lookMs = 10_000 }: WorktreesOptions): Worktrees {
  const inTurn = createTurns();
  const within = (ms: number): Git => ({ env: quietEnvironment(env), signal: AbortSignal.timeout(ms) });
  return {
    plan: (options) => plan(within(lookMs), folder, options).catch((error: unknown) => problemOf(error, options)),
    make: async (worktree) => {
      const git = within(makeMs);
      try {
        await inTurn(() => register(git, worktree));
        await fill(git, worktree);
      } catch (error) {
        const branch = (await ifAny(tipOf(git, worktree))) === worktree.base;
        await inTurn(() => takeAway(within(lookMs), worktree, branch)).catch(() => undefined);
        throw error;
      }
    },
    isThere: async ({ folder: work }) => (await stat(work).catch(() => undefined))?.isDirectory() === true,
    look: (worktree) =>
      inScratchFolder((own) => readWorktreeFacts(within(lookMs), own, worktree)).catch((error: unknown) => ({
        ...UNKNOWN_FACTS,
        problem: errorMessage(error),
      })),
    remove: (worktree, { branch }) => inTurn(() => takeAway(within(makeMs), worktree, branch)),
  };
}

/**
 * Runs changes one at a time, because to add a worktree, git reads all worktrees of the repository, and fails if
 * another git process is registering a worktree at the same time.
 */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

async function plan(
  git: Git,
  folder: string,
  { project, name, branch }: WorktreeOptions,
): Promise<WorktreePlan | WorktreeProblem> {
  const ask = async (...args: string[]): Promise<string> => withoutNewline(await runGit(git, project.path, args));
  const no = (sentence: string, isNameTaken = false): WorktreeProblem => ({ sentence, isNameTaken });
  if ((await ask('rev-parse', '--is-inside-work-tree')) !== 'true') throw new GitFault('no_work_tree', '');
  const top = await ask('rev-parse', '--show-toplevel');
  const base = await ifAny(ask('rev-parse', '--verify', '--quiet', 'HEAD'));
  if (base === undefined) return no(`${project.path} has no commit yet, and a worktree needs one. Commit first.`);
  const baseBranch = await ifAny(ask('symbolic-ref', '--quiet', '--short', 'HEAD'));
  if (baseBranch === undefined)
    return no(
      `${project.path} has no branch checked out (detached HEAD), and Baton bases a worktree on a branch. Check out a branch there first, for example with: git switch main`,
    );
  const isRef = async (ref: string): Promise<boolean> =>
    (await ifAny(ask('show-ref', '--verify', '--quiet', ref))) !== undefined;
  const stem = branch.split('/')[0] ?? branch;
  if (await isRef(`refs/heads/${stem}`))
    return no(
      `${project.path} has a branch "${stem}", so git cannot create a branch "${branch}". Rename the branch "${stem}".`,
    );
  if (await isRef(`refs/heads/${branch}`))
    return no(`${project.path} already has a branch "${branch}". Choose another name, or remove that branch.`, true);
  const path = join(folder, folderName(project), name);
  if ((await lstat(path).catch(() => undefined)) !== undefined)
    return no(`${path} already exists, but is not a worktree of Baton. Choose another name.`, true);
  const below = relative(await realpath(top), await realpath(project.path));
  return { path, folder: join(path, below), base, baseBranch };
}

const folderName = ({ id, name }: WorktreeOptions['project']): string =>
  `${
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 30)
      .replace(/^-|-$/g, '') || 'project'
  }-${id}`;

function problemOf(error: unknown, { project }: WorktreeOptions): WorktreeProblem {
  const detail = errorMessage(error);
  const sentences: Record<string, string> = {
    not_a_repository: `${project.path} is not in a git repository, so Baton cannot create a worktree.`,
    no_work_tree: `${project.path} is inside a git repository without a work tree, so Baton cannot create a worktree.`,
    not_trusted: howToTrust(withoutControls(detail), project.path),
    no_git: 'git was not found on the PATH of the Baton server, so Baton cannot create a worktree.',
    too_slow: `git did not answer for ${project.path} in time. Try again.`,
  };
  const why = error instanceof GitFault ? error.why : 'failed';
  return { isNameTaken: false, sentence: sentences[why] ?? `git failed for ${project.path}: ${detail}` };
}

/**
 * Registers the worktree. First discards what an interrupted attempt left behind. This is safe, because no agent has
 * used a half-made worktree.
 */
async function register(git: Git, worktree: KnownWorktree): Promise<void> {
  const { projectPath, path, branch, base } = worktree;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await clearFolder(git, worktree);
  const tip = await tipOf(git, worktree);
  if (tip !== undefined && tip !== base) throw new Error(`the branch ${branch} already exists at another commit`);
  const which = tip === undefined ? ['-b', branch, path, base] : [path, branch];
  await runGit(git, projectPath, ['worktree', 'add', '--no-checkout', ...which]);
}

async function fill(git: Git, worktree: KnownWorktree): Promise<void> {
  const { path, folder } = worktree;
  await inScratchFolder((own) => populateWorktree(git, own, worktree));
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new Error(
      `${relative(path, folder)} is not in the last commit of the project. Commit a file in this folder, then try again`,
    );
}

const tipOf = async (git: Git, { projectPath, branch }: KnownWorktree): Promise<string | undefined> => {
  const found = await ifAny(runGit(git, projectPath, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]));
  return found === undefined ? undefined : withoutNewline(found);
};

async function takeAway(git: Git, worktree: KnownWorktree, withBranch: boolean): Promise<void> {
  const { projectPath, branch } = worktree;
  await clearFolder(git, worktree);
  const tip = withBranch ? await ifAny(tipOf(git, worktree)) : undefined;
  if (tip === undefined) return;
  const elsewhere = (await listed(git, worktree)).find((entry) => entry.includes(`branch refs/heads/${branch}`));
  if (elsewhere !== undefined)
    throw new Error(
      `the branch ${branch} is checked out in ${elsewhere[0]?.slice('worktree '.length)}, so Baton kept it`,
    );
  await runGit(git, projectPath, ['update-ref', '-d', `refs/heads/${branch}`, tip]);
}

/**
 * Removes a worktree, but deletes its folder before git does. Otherwise git would read the files in the folder, which
 * could run filters.
 */
async function clearFolder(git: Git, worktree: KnownWorktree): Promise<void> {
  const { projectPath, path } = worktree;
  await refuseStrangePlace(path);
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
  const isListed = (await ifAny(listed(git, worktree)))?.some(([first]) => first === `worktree ${path}`) === true;
  if (isListed) await runGit(git, projectPath, ['worktree', 'remove', '--force', '--force', path]);
}

/**
 * Throws if the path leads through a symbolic link, because an agent may have made the link, and Baton must not remove
 * files outside its own folder.
 */
async function refuseStrangePlace(path: string): Promise<void> {
  const real = await realpath(dirname(path)).catch(() => undefined);
  if (real !== undefined && real !== dirname(path))
    throw new Error(
      `the path ${dirname(path)} leads through a symbolic link to ${real}, so Baton changed nothing in that folder`,
    );
}
