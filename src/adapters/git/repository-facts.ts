import type { DirtyFile, DirtyTree, GitRepository } from '../../domain/handoffs/document/git-facts.ts';
import { type Git, GitFault, ifAny, runGit } from './git-program.ts';
import { createShadowGitDir, withoutNewline } from './shadow-git-dir.ts';

const MAX_FILES = 50;
const MAX_BRANCHES = 1_000;
const MAX_COMMITS = 50;

/**
 * In the repository itself, runs only commands that start no program and read no object (root, HEAD, branches).
 * Everything that compares files runs in the shadow git dir.
 */
export async function readRepositoryFacts(
  git: Git,
  folder: string,
  own: string,
  commits: readonly string[],
): Promise<GitRepository> {
  const ask = async (...args: string[]): Promise<string> => withoutNewline(await runGit(git, folder, args));
  if ((await ask('rev-parse', '--is-inside-work-tree')) !== 'true')
    throw new GitFault('no_work_tree', 'there is no work tree');
  const root = await ask('rev-parse', '--show-toplevel');
  const head = (await ifAny(ask('rev-parse', '--verify', '--quiet', 'HEAD'))) ?? null;
  const branch = (await ifAny(ask('symbolic-ref', '--quiet', '--short', 'HEAD'))) ?? null;
  const branches = await branchesOf(git, folder);
  const upstream = await upstreamOf(ask);

  const beside = await createShadowGitDir(git, folder, own, { root, head });
  const dirty = await ifAny(dirtyTree(beside, root));
  return {
    kind: 'repository',
    root,
    head,
    branch,
    branches,
    dirty: dirty?.tree ?? null,
    diffstat: (await ifAny(diffstat(beside, root, dirty?.unsure ?? new Set()))) ?? null,
    upstream: upstream && head ? await distance(beside, root, head, upstream) : null,
    unknownCommits: (await ifAny(unknownCommits(beside, root, commits))) ?? [],
  };
}

async function branchesOf(git: Git, folder: string): Promise<GitRepository['branches']> {
  const args = ['for-each-ref', `--count=${MAX_BRANCHES + 1}`, '--format=%(refname)', 'refs/heads', 'refs/remotes'];
  const names = ((await ifAny(runGit(git, folder, args))) ?? '').split('\n').filter(Boolean);
  const short = names.slice(0, MAX_BRANCHES).map((name) => name.replace(/^refs\/(?:heads|remotes)\//, ''));
  return { names: short, all: names.length <= MAX_BRANCHES };
}

interface Upstream {
  readonly name: string;
  readonly commit: string;
}

async function upstreamOf(ask: (...args: string[]) => Promise<string>): Promise<Upstream | undefined> {
  const name = await ifAny(ask('rev-parse', '--abbrev-ref', '--symbolic-full-name', '@{upstream}'));
  const commit = await ifAny(ask('rev-parse', '--verify', '--quiet', '@{upstream}'));
  return name && commit ? { name, commit } : undefined;
}

async function distance(git: Git, root: string, head: string, { name, commit }: Upstream) {
  const counted = await ifAny(runGit(git, root, ['rev-list', '--left-right', '--count', `${head}...${commit}`, '--']));
  const [ahead, behind] = (counted ?? '').trim().split('\t').map(Number);
  return ahead === undefined || behind === undefined || counted === undefined ? null : { name, ahead, behind };
}

interface Dirty {
  readonly tree: DirtyTree;
  readonly unsure: ReadonlySet<string>;
}

export async function dirtyTree(git: Git, root: string): Promise<Dirty> {
  const args = [
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=normal',
    '--ignore-submodules=dirty',
  ];
  const entries = splitZ(await runGit(git, root, args)).map((entry): DirtyFile & { readonly code: string } => {
    const code = entry.slice(0, 2);
    return { code, path: entry.slice(3), state: stateOf(code) };
  });
  const unsure = await filtered(
    git,
    root,
    entries.filter(({ code }) => code === ' M').map(({ path }) => path),
  );
  const sure = entries.filter(({ path }) => !unsure.has(path));
  return {
    unsure,
    tree: {
      count: sure.length,
      untracked: sure.filter(({ state }) => state === 'untracked').length,
      unsure: unsure.size,
      files: sure.slice(0, MAX_FILES).map(({ path, state }) => ({ path, state })),
    },
  };
}

function stateOf(code: string): DirtyFile['state'] {
  if (code === '??') return 'untracked';
  if (code.includes('U') || code === 'AA' || code === 'DD') return 'conflicted';
  if (code.includes('D')) return 'deleted';
  return code.includes('A') ? 'added' : 'changed';
}

/**
 * Finds files that a filter stores in another form (LFS, git-crypt). Without the filter, even unchanged ones look
 * changed.
 */
async function filtered(git: Git, root: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const answer = splitZ(await runGit(git, root, ['check-attr', '-z', '--stdin', 'filter'], `${paths.join('\0')}\0`));
  const isFiltered = (value: string | undefined): boolean =>
    !['unspecified', 'unset', 'set'].includes(value ?? 'unset');
  return new Set(answer.filter((_, index) => index % 3 === 0 && isFiltered(answer[index + 2])));
}

async function diffstat(git: Git, root: string, without: ReadonlySet<string>) {
  // Without a commit, compare with the empty tree. git computes that tree's hash in this repository's hash format.
  const isBorn = (await ifAny(runGit(git, root, ['rev-parse', '--verify', '--quiet', 'HEAD']))) !== undefined;
  const base = isBorn ? 'HEAD' : withoutNewline(await runGit(git, root, ['hash-object', '-t', 'tree', '--stdin']));
  const args = [
    'diff',
    '--numstat',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--ignore-submodules=dirty',
  ];
  const sum = { files: 0, insertions: 0, deletions: 0 };
  for (const entry of splitZ(await runGit(git, root, [...args, base, '--']))) {
    const [insertions = '', deletions = '', ...path] = entry.split('\t');
    if (without.has(path.join('\t'))) continue;
    sum.files++;
    // For a binary file, git prints `-` in place of both numbers.
    sum.insertions += Number(insertions) || 0;
    sum.deletions += Number(deletions) || 0;
  }
  return sum;
}

async function unknownCommits(git: Git, root: string, commits: readonly string[]): Promise<readonly string[]> {
  const asked = commits.filter((commit) => /^[0-9a-f]{7,64}$/.test(commit)).slice(0, MAX_COMMITS);
  if (asked.length === 0) return [];
  const answer = await runGit(git, root, ['cat-file', '--batch-check=%(objecttype)'], `${asked.join('\n')}\n`);
  const types = answer.split('\n');
  return asked.filter((_, index) => types[index] !== 'commit' && !types[index]?.endsWith(' ambiguous'));
}

export const splitZ = (output: string): string[] => output.split('\0').filter((entry) => entry !== '');
