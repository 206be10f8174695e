import type { KnownWorktree } from '../../app/ports/worktrees.ts';
import type { WorktreeFacts } from '../../domain/worktrees/worktree.ts';
import { type Git, ifAny, runGit } from './git-program.ts';
import { readPlace, withoutNewline } from './read-place.ts';
import { dirtyTree, splitZ } from './repository-facts.ts';
import { createShadowGitDir, readShadowSettings } from './shadow-git-dir.ts';

const MAX_REFS = 20_000;

/**
 * In the repository itself, Baton reads only references, as names and hashes. Git commands that read objects or files
 * could start programs that the repository's settings name, so these commands run in the shadow git dir
 * (shadow-git-dir.ts).
 */
export async function readWorktreeFacts(git: Git, own: string, worktree: KnownWorktree): Promise<WorktreeFacts> {
  const { path, branch, base, baseBranch } = worktree;
  const ask = async (...args: string[]): Promise<string> => withoutNewline(await runGit(git, path, args));
  const [{ root, paths }, settings] = await Promise.all([readPlace(git, path), readShadowSettings(git, path)]);
  if (root !== path) throw new Error(`${path} is no longer a worktree`);
  const head = await ask('rev-parse', '--verify', 'HEAD');
  const checkedOut = (await ifAny(ask('symbolic-ref', '--quiet', '--short', 'HEAD'))) ?? null;
  const refs = await refsOf(ask);
  const mine = `refs/heads/${branch}`;
  const tip = refs.get(mine) ?? head;
  const others = [...refs].filter(([name]) => name !== mine).map(([, commit]) => commit);

  const beside = await createShadowGitDir(git, own, { root: path, head, paths, settings });
  const count = async (include: readonly string[], exclude: readonly string[]): Promise<number | null> => {
    const asked = [...include, ...exclude.map((commit) => `^${commit}`)].join('\n');
    const answer = await ifAny(runGit(beside, path, ['rev-list', '--count', '--stdin'], `${asked}\n`));
    return answer === undefined ? null : Number(answer.trim());
  };
  const dirty = (await ifAny(dirtyTree(beside, path)))?.tree ?? null;
  return {
    uncommitted: dirty && { count: dirty.count, untracked: dirty.untracked, unsure: dirty.unsure },
    ignored: (await ifAny(ignored(beside, path))) ?? null,
    branch: checkedOut,
    ahead: await count([tip], [refs.get(`refs/heads/${baseBranch}`) ?? base]),
    unmerged: await count([head, tip], others),
    unreachable: await count([head], [...refs.values()]),
    problem: null,
  };
}

async function refsOf(ask: (...args: string[]) => Promise<string>): Promise<ReadonlyMap<string, string>> {
  const format = '--format=%(objectname) %(refname)';
  const all = await ask('for-each-ref', `--count=${MAX_REFS}`, format, 'refs/heads', 'refs/remotes', 'refs/tags');
  const lines = all.split('\n').filter(Boolean);
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]));
}

/** Counts ignored entries. A folder that is ignored as a whole counts once. */
async function ignored(git: Git, path: string): Promise<number> {
  const args = ['status', '--porcelain=v1', '-z', '--ignored', '--untracked-files=normal', '--ignore-submodules=all'];
  return splitZ(await runGit(git, path, args)).filter((entry) => entry.startsWith('!! ')).length;
}
