import type { DirtyFile, DirtyTree, GitRepository } from '../../domain/handoffs/document/git-facts.ts';
import { filteredFiles } from './filtered-files.ts';
import { type Git, ifAny, runGit } from './git-program.ts';
import { readPlace, withoutNewline } from './read-place.ts';
import { createShadowGitDir, readShadowSettings } from './shadow-git-dir.ts';

/** Leaves out Baton's own package archive, because it is not the agent's work (package SPEC P36). */
const NOT_THE_ARCHIVE = ['--', ':/', ':(top,exclude,glob)**/.project/07-audit/sessions/*/handoffs/HO-*.yaml'];

const MAX_FILES = 50;
const MAX_BRANCHES = 1_000;
const MAX_COMMITS = 50;

/**
 * Reads the facts of a repository. In the repository itself, Baton runs only commands that start no program and read no
 * object. Everything that compares files runs in the shadow git dir. A handoff waits for these facts, so there are few
 * git calls.
 */
export async function readRepositoryFacts(
  git: Git,
  folder: string,
  own: string,
  commits: readonly string[],
): Promise<GitRepository> {
  const [place, settings, refs] = await Promise.all([
    readPlace(git, folder),
    readShadowSettings(git, folder),
    readRefs(git, folder),
  ]);
  const { root, head, branch } = place;
  const upstream = head === null ? undefined : await upstreamOf(git, folder, branch, refs);
  const beside = await createShadowGitDir(git, own, { ...place, settings, upstream: upstream?.commit });
  const [status, changes, unknown] = await Promise.all([
    readStatus(beside, root, upstream !== undefined),
    ifAny(changedLines(beside, root, head)),
    ifAny(unknownCommits(beside, root, commits)),
  ]);
  return {
    kind: 'repository',
    root,
    head,
    branch,
    branches: refs.branches,
    dirty: status?.tree ?? null,
    diffstat: changes === undefined ? null : diffstat(changes, status?.unsure ?? new Set()),
    upstream: upstream && status?.distance ? { name: upstream.name, ...status.distance } : null,
    unknownCommits: unknown ?? [],
  };
}

interface Refs {
  readonly branches: GitRepository['branches'];
  readonly commits: ReadonlyMap<string, string>;
  /** The upstream of the branch that is checked out. */
  readonly tracked: { readonly ref: string; readonly name: string } | undefined;
}

const REF_FORMAT = '%(refname)%00%(objectname)%00%(HEAD)%00%(upstream)%00%(upstream:short)';

async function readRefs(git: Git, folder: string): Promise<Refs> {
  const args = ['for-each-ref', `--count=${MAX_BRANCHES + 1}`, `--format=${REF_FORMAT}`, 'refs/heads', 'refs/remotes'];
  const lines = ((await ifAny(runGit(git, folder, args))) ?? '').split('\n').filter(Boolean);
  const rows = lines.map((line) => line.split('\0'));
  const names = rows.slice(0, MAX_BRANCHES).map(([ref = '']) => ref.replace(/^refs\/(?:heads|remotes)\//, ''));
  const [, , , ref, name] = rows.find(([, , mark]) => mark === '*') ?? [];
  return {
    branches: { names, all: rows.length <= MAX_BRANCHES },
    commits: new Map(rows.map(([each = '', commit = '']) => [each, commit])),
    tracked: ref && name ? { ref, name } : undefined,
  };
}

interface Upstream {
  readonly name: string;
  readonly commit: string;
}

/**
 * Returns the upstream of the branch, usually from the references that Baton has already read. Runs further git
 * commands only if Baton has not read all references, or if the upstream is not a branch.
 */
async function upstreamOf(
  git: Git,
  folder: string,
  branch: string | null,
  { branches, commits, tracked }: Refs,
): Promise<Upstream | undefined> {
  const commit = tracked && commits.get(tracked.ref);
  if (tracked && commit) return { name: tracked.name, commit };
  const isListed = tracked === undefined || /^refs\/(?:heads|remotes)\//.test(tracked.ref);
  if (branch === null || (branches.all && isListed)) return undefined;
  const ask = async (...args: string[]): Promise<string> => withoutNewline(await runGit(git, folder, args));
  const [name, found] = await Promise.all([
    ifAny(ask('rev-parse', '--abbrev-ref', '--symbolic-full-name', '@{upstream}')),
    ifAny(ask('rev-parse', '--verify', '--quiet', '@{upstream}')),
  ]);
  return name && found ? { name, commit: found } : undefined;
}

type Distance = Pick<NonNullable<GitRepository['upstream']>, 'ahead' | 'behind'>;

/**
 * Reads the dirty files. If the branch has an upstream, also counts the commits that only the branch or only the
 * upstream has. If git cannot count these commits, for example because a commit is missing, reads only the dirty files.
 */
async function readStatus(git: Git, root: string, withUpstream: boolean): Promise<Dirty | undefined> {
  const both = withUpstream ? await ifAny(dirtyTree(git, root, ['--branch', ...NOT_THE_ARCHIVE])) : undefined;
  return both ?? (await ifAny(dirtyTree(git, root, NOT_THE_ARCHIVE)));
}

/** Parses the first line of `git status --branch`, such as `## none...upstream [ahead 2, behind 1]`. */
function distanceIn(line: string): Distance | undefined {
  const [, counts = ''] = /^## [^ ]+\.\.\.[^ ]+(?: \[(.*)\])?$/.exec(line) ?? [undefined, 'gone'];
  const count = (found: RegExp): number => Number(found.exec(counts)?.[1] ?? 0);
  return counts === 'gone' ? undefined : { ahead: count(/\bahead (\d+)/), behind: count(/\bbehind (\d+)/) };
}

interface Dirty {
  readonly tree: DirtyTree;
  readonly distance: Distance | undefined;
  readonly unsure: ReadonlySet<string>;
}

/** Reads the uncommitted changes. `options` may end with a pathspec; without a pathspec, all files count. */
export async function dirtyTree(git: Git, root: string, options: readonly string[] = []): Promise<Dirty> {
  const args = [
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=normal',
    '--ignore-submodules=dirty',
    ...options,
  ];
  const answer = splitZ(await runGit(git, root, args));
  const [first = ''] = answer;
  const header = first.startsWith('## ') ? first : undefined;
  const entries = answer.slice(header === undefined ? 0 : 1).map((entry): DirtyFile & { readonly code: string } => {
    const code = entry.slice(0, 2);
    return { code, path: entry.slice(3), state: stateOf(code) };
  });
  const unsure = await filteredFiles(
    git,
    root,
    entries.filter(({ code }) => code === ' M').map(({ path }) => path),
  );
  const sure = entries.filter(({ path }) => !unsure.has(path));
  return {
    unsure,
    distance: header === undefined ? undefined : distanceIn(header),
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

interface ChangedLines {
  readonly path: string;
  readonly insertions: number;
  readonly deletions: number;
}

async function changedLines(git: Git, root: string, head: string | null): Promise<readonly ChangedLines[]> {
  // Before the first commit, compare with the empty tree. Git computes the hash of the empty tree in the repository's
  // own hash format.
  const base =
    head === null ? withoutNewline(await runGit(git, root, ['hash-object', '-t', 'tree', '--stdin'])) : 'HEAD';
  const args = [
    'diff',
    '--numstat',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--ignore-submodules=dirty',
  ];
  return splitZ(await runGit(git, root, [...args, base, ...NOT_THE_ARCHIVE])).map((entry) => {
    const [insertions, deletions, ...path] = entry.split('\t');
    // For a binary file, git prints `-` in place of both numbers.
    return { path: path.join('\t'), insertions: Number(insertions) || 0, deletions: Number(deletions) || 0 };
  });
}

function diffstat(changes: readonly ChangedLines[], without: ReadonlySet<string>): GitRepository['diffstat'] {
  const sum = { files: 0, insertions: 0, deletions: 0 };
  for (const { path, insertions, deletions } of changes) {
    if (without.has(path)) continue;
    sum.files++;
    sum.insertions += insertions;
    sum.deletions += deletions;
  }
  return sum;
}

/** Returns those texts that look like the hash of a commit, at most MAX_COMMITS of them. */
export const commitsToLookUp = (commits: readonly string[]): readonly string[] =>
  commits.filter((commit) => /^[0-9a-f]{7,64}$/.test(commit)).slice(0, MAX_COMMITS);

/** @param asked hashes of commits, as `commitsToLookUp` returns them */
async function unknownCommits(git: Git, root: string, asked: readonly string[]): Promise<readonly string[]> {
  if (asked.length === 0) return [];
  const answer = await runGit(git, root, ['cat-file', '--batch-check=%(objecttype)'], `${asked.join('\n')}\n`);
  const types = answer.split('\n');
  return asked.filter((_, index) => types[index] !== 'commit' && !types[index]?.endsWith(' ambiguous'));
}

export const splitZ = (output: string): string[] => output.split('\0').filter((entry) => entry !== '');
