import { resolve } from 'node:path';
import { type Git, GitFault, ifAny, runGit } from './git-program.ts';

/** The files and folders of a repository that Baton needs to create a shadow git dir (shadow-git-dir.ts). */
export interface GitPaths {
  readonly index: string;
  readonly objects: string;
  readonly exclude: string;
  readonly attributes: string;
  readonly shallow: string;
}

/** The repository of a folder, and the commit and branch that are checked out there. */
export interface Place {
  /** The top folder of the work tree. */
  readonly root: string;
  /** The commit that is checked out; null if there is no commit yet. */
  readonly head: string | null;
  /** The branch that is checked out; null if there is none. */
  readonly branch: string | null;
  readonly paths: GitPaths;
}

const PATHS = ['index', 'objects', 'info/exclude', 'info/attributes', 'shallow'] as const;
const HASH = /^[0-9a-f]{40,64}$/;
/**
 * The number of lines that `git rev-parse` prints before the commit of HEAD: one for `--is-inside-work-tree`, one for
 * the top folder, and one for each path in PATHS.
 */
const BEFORE_HEAD = 2 + PATHS.length;

export const withoutNewline = (output: string): string => output.replace(/\n$/, '');

/**
 * Reads everything about the repository with one git command. `--revs-only` omits HEAD silently if there is no commit
 * yet. `--abbrev-ref=loose` shortens the name of the branch like `symbolic-ref --short`, and prints HEAD if no branch
 * is checked out.
 */
export async function readPlace(git: Git, folder: string): Promise<Place> {
  const paths = PATHS.flatMap((name) => ['--git-path', name]);
  const commit = ['--revs-only', 'HEAD', '--abbrev-ref=loose', 'HEAD'];
  const args = ['rev-parse', '--is-inside-work-tree', '--show-toplevel', ...paths, ...commit];
  const answer = withoutNewline(await runGit(git, folder, args)).split('\n');
  if (answer[0] !== 'true') throw new GitFault('no_work_tree', 'there is no work tree');
  const [root = '', ...named] = answer.slice(1, BEFORE_HEAD);
  const [head = null, branch = null] = answer.slice(BEFORE_HEAD);
  // An unexpected number of lines means that a path contains a newline or that the name HEAD is ambiguous. In that
  // case, read each part with a separate git command.
  if (head === null) return { root, head, branch: await branchOf(git, folder), paths: pathsOf(folder, named) };
  if (answer.length !== BEFORE_HEAD + 2 || !HASH.test(head)) return readPartByPart(git, folder);
  return { root, head, branch: branch === 'HEAD' ? null : branch, paths: pathsOf(folder, named) };
}

async function branchOf(git: Git, folder: string): Promise<string | null> {
  const name = await ifAny(runGit(git, folder, ['symbolic-ref', '--quiet', '--short', 'HEAD']));
  return name === undefined ? null : withoutNewline(name);
}

async function readPartByPart(git: Git, folder: string): Promise<Place> {
  const ask = async (...args: string[]): Promise<string> => withoutNewline(await runGit(git, folder, args));
  const [root, head, branch, ...named] = await Promise.all([
    ask('rev-parse', '--show-toplevel'),
    ifAny(ask('rev-parse', '--verify', '--quiet', 'HEAD')),
    branchOf(git, folder),
    ...PATHS.map((name) => ask('rev-parse', '--git-path', name)),
  ]);
  return { root, head: head ?? null, branch, paths: pathsOf(folder, named) };
}

function pathsOf(folder: string, named: readonly string[]): GitPaths {
  const [index, objects, exclude, attributes, shallow] = named.map((path) => resolve(folder, path));
  if (!index || !objects || !exclude || !attributes || !shallow) throw new Error('git reported no paths');
  return { index, objects, exclude, attributes, shallow };
}
