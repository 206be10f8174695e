import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorktrees } from '../../../src/adapters/git/create-worktrees.ts';
import type { KnownWorktree } from '../../../src/app/ports/worktrees.ts';
import { lossesOf } from '../../../src/domain/worktrees/worktree.ts';

/**
 * The tests of worktrees use real git and real repositories. Some repositories have settings that would start programs.
 */

let top = '';
let env: NodeJS.ProcessEnv = {};
let project = '';
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'btw-')));
  mkdirSync(join(top, 'home'));
  env = { PATH: process.env.PATH, HOME: join(top, 'home'), GIT_CONFIG_NOSYSTEM: '1' };
  project = join(top, 'Shop of mine');
  mkdirSync(project);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', args, {
    timeout: 120_000,
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...env,
      GIT_AUTHOR_NAME: 'n',
      GIT_AUTHOR_EMAIL: 'n@example.org',
      GIT_COMMITTER_NAME: 'n',
      GIT_COMMITTER_EMAIL: 'n@example.org',
    },
    stdio: 'pipe',
  }).trim();

function withCommit(files: Record<string, string> = { 'cart.ts': 'one\ntwo\n' }): void {
  if (!existsSync(join(project, '.git'))) git(project, 'init', '-q', '-b', 'main');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'next');
}

const worktrees = () => createWorktrees({ env, folder: join(top, 'data/worktrees'), lookMs: 50_000 });
const wish = (name = 'con', path = project) => ({
  project: { id: 7, name: 'Shop of mine', path },
  name,
  branch: `baton/${name}`,
});

async function planned(name = 'con', path = project): Promise<KnownWorktree> {
  const plan = await worktrees().plan(wish(name, path));
  if ('sentence' in plan) throw new Error(plan.sentence);
  return { ...plan, projectPath: path, branch: `baton/${name}` };
}
async function made(name = 'con', path = project): Promise<KnownWorktree> {
  const worktree = await planned(name, path);
  await worktrees().make(worktree);
  return worktree;
}
const refused = async (name = 'con', path = project): Promise<string> => {
  const plan = await worktrees().plan(wish(name, path));
  return 'sentence' in plan ? plan.sentence : 'it would be made';
};

it('Baton changes the worktrees of a repository one at a time', async () => {
  withCommit();
  const wanted = await Promise.all(Array.from({ length: 5 }, (_, at) => planned(`w${at}`)));
  env = { ...env, PATH: `${gitThatIsAlone()}:${env.PATH}` };
  const { make, remove } = worktrees();
  await Promise.all(wanted.map(make));
  expect(git(project, 'worktree', 'list').split('\n')).toHaveLength(6);
  for (const { folder } of wanted) expect(readFileSync(join(folder, 'cart.ts'), 'utf8')).toBe('one\ntwo\n');
  await Promise.all(wanted.map((worktree) => remove(worktree, { branch: true })));
  expect(git(project, 'worktree', 'list').split('\n')).toHaveLength(1);
});

/**
 * Creates a fake git and returns its folder. The fake fails if two processes add or remove worktrees at the same time,
 * because the real git sometimes fails then.
 */
function gitThatIsAlone(): string {
  const folder = join(top, 'bin');
  mkdirSync(folder);
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh
case "$*" in *' worktree add '*|*' worktree remove '*) ;; *) exec '${real}' "$@" ;; esac
echo 'Preparing worktree' >&2
mkdir '${top}/busy' || { echo 'fatal: not alone' >&2; exit 128; }
'${real}' "$@"; code=$?
sleep 0.1
rmdir '${top}/busy'
exit $code
`;
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
  return folder;
}

describe('creating a worktree', () => {
  it("a worktree is created with its own branch at the project's last commit", async () => {
    withCommit({ 'cart.ts': 'one\n', 'src/deep/a.ts': 'a\n', run: '#!/bin/sh\n' });
    chmodSync(join(project, 'run'), 0o755);
    symlinkSync('cart.ts', join(project, 'link'));
    git(project, 'add', '-A');
    git(project, 'commit', '-qm', 'second');
    writeFileSync(join(project, 'cart.ts'), 'not committed\n');
    const { path, folder } = await made();
    expect([path, folder]).toEqual([join(top, 'data/worktrees/shop-of-mine-7/con'), path]);
    expect(git(path, 'status', '--porcelain')).toBe('');
    expect(git(path, 'symbolic-ref', 'HEAD')).toBe('refs/heads/baton/con');
    expect(git(path, 'rev-parse', 'HEAD')).toBe(git(project, 'rev-parse', 'main'));
    expect(readFileSync(join(path, 'link'), 'utf8')).toBe('one\n');
    expect(git(path, 'ls-files', '-s', 'run')).toContain('100755');
    expect(git(project, 'worktree', 'list')).toContain(path);
    // An agent must be able to commit in its worktree as usual.
    writeFileSync(join(path, 'cart.ts'), 'two\n');
    git(path, 'commit', '-qam', 'work');
    expect(git(project, 'log', '--oneline', 'main..baton/con').split('\n')).toHaveLength(1);
    expect(readFileSync(join(project, 'cart.ts'), 'utf8')).toBe('not committed\n');
  });

  it("if the project is a subfolder of its repository, the agent's folder is the same subfolder of the worktree", async () => {
    withCommit({ 'packages/shop/cart.ts': 'one\n' });
    const { path, folder } = await made('con', join(project, 'packages/shop'));
    expect(folder).toBe(join(path, 'packages/shop'));
    expect(existsSync(join(folder, 'cart.ts'))).toBe(true);
  });

  it("a worktree is not created if no commit contains the project's folder", async () => {
    withCommit();
    mkdirSync(join(project, 'new'));
    const worktree = await planned('con', join(project, 'new'));
    await expect(worktrees().make(worktree)).rejects.toThrow('new is not in the last commit');
    expect(git(project, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(git(project, 'branch', '--list', 'baton/*')).toBe('');
    expect(existsSync(worktree.path)).toBe(false);
  });

  it.each([
    ['is not in a git repository', () => undefined],
    ['has no commit yet', () => void git(project, 'init', '-q')],
    [
      'detached HEAD',
      () => {
        withCommit();
        git(project, 'checkout', '-q', '--detach');
      },
    ],
    [
      'already has a branch "baton/con"',
      () => {
        withCommit();
        git(project, 'branch', 'baton/con');
      },
    ],
    [
      'so git cannot create a branch "baton/con"',
      () => {
        withCommit();
        git(project, 'branch', 'baton');
      },
    ],
    ['without a work tree', () => void git(project, 'init', '-q', '--bare')],
  ])('the creation of a worktree is refused, and the error contains "%s"', async (words, prepare) => {
    prepare();
    expect(await refused()).toContain(words);
    expect(existsSync(join(top, 'data'))).toBe(false);
  });
});

describe('programs named in the settings of a repository', () => {
  /** Sets every git option that starts a program during a checkout, a branch creation or a status. */
  function hostile(): { canary: string } {
    const canary = join(top, 'canary');
    const bad = join(top, 'bad.sh');
    writeFileSync(bad, `#!/bin/sh\necho "$0 $*" >> '${canary}'\ncat\n`);
    chmodSync(bad, 0o755);
    const hooks = join(top, 'hooks');
    for (const folder of [hooks, join(project, '.git/hooks')]) {
      mkdirSync(folder, { recursive: true });
      for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change', 'pre-commit', 'post-merge']) {
        writeFileSync(join(folder, hook), `#!/bin/sh\necho ${hook} >> '${canary}'\n`);
        chmodSync(join(folder, hook), 0o755);
      }
    }
    git(project, 'config', 'filter.evil.smudge', `${bad} smudge`);
    git(project, 'config', 'filter.evil.clean', `${bad} clean`);
    git(project, 'config', 'filter.evil.required', 'true');
    git(project, 'config', 'core.fsmonitor', bad);
    git(project, 'config', 'core.pager', bad);
    git(project, 'config', 'core.editor', bad);
    git(project, 'config', 'core.sshCommand', bad);
    git(project, 'config', 'core.hooksPath', hooks);
    rmSync(canary, { force: true });
    return { canary };
  }

  it("Baton creates, inspects and removes a worktree without running the programs in the repository's git settings", async () => {
    withCommit({ 'a.bin': 'version https://git-lfs\n', '.gitattributes': '*.bin filter=evil\n', 'b.ts': 'b\n' });
    const { canary } = hostile();
    const worktree = await made();
    expect(readFileSync(join(worktree.path, 'a.bin'), 'utf8')).toBe('version https://git-lfs\n');
    writeFileSync(join(worktree.path, 'b.ts'), 'changed\n');
    const facts = await worktrees().look(worktree);
    expect(facts).toMatchObject({
      uncommitted: { count: 1, untracked: 0 },
      branch: 'baton/con',
      ahead: 0,
      problem: null,
    });
    await worktrees().remove(worktree, { branch: true });
    expect(existsSync(worktree.path)).toBe(false);
    expect(existsSync(canary) ? readFileSync(canary, 'utf8') : '').toBe('');
  });

  it("without Baton's precautions, `git worktree add` does run the programs in the settings of the test repository", () => {
    withCommit({ 'a.bin': 'x\n', '.gitattributes': '*.bin filter=evil\n' });
    const { canary } = hostile();
    git(project, 'worktree', 'add', '-q', '-b', 'other', join(top, 'other'));
    const ran = readFileSync(canary, 'utf8');
    expect(ran).toContain('smudge');
    expect(ran).toContain('post-checkout');
  });
});

describe('a killed attempt to create a worktree', () => {
  it.each([
    ['the branch alone', (w: KnownWorktree) => void git(project, 'branch', w.branch, w.base)],
    [
      'a worktree without files',
      (w: KnownWorktree) => void git(project, 'worktree', 'add', '--no-checkout', '-q', '-b', w.branch, w.path),
    ],
    [
      'half of the files, and no note in git',
      (w: KnownWorktree) => {
        mkdirSync(w.path, { recursive: true });
        writeFileSync(join(w.path, 'cart.ts'), 'ha');
      },
    ],
    [
      'a note in git, and no folder',
      (w: KnownWorktree) => {
        git(project, 'worktree', 'add', '-q', '-b', w.branch, w.path);
        rmSync(w.path, { recursive: true });
      },
    ],
  ])(
    'if Baton was killed while creating a worktree and left %s, Baton completes the worktree',
    async (_what, leave) => {
      withCommit();
      const worktree = await planned();
      mkdirSync(dirname(worktree.path), { recursive: true });
      leave(worktree);
      await worktrees().make(worktree);
      expect(git(worktree.path, 'status', '--porcelain')).toBe('');
      expect(git(worktree.path, 'symbolic-ref', '--short', 'HEAD')).toBe('baton/con');
      expect(git(project, 'worktree', 'list').split('\n')).toHaveLength(2);
    },
  );
});

describe('removing a worktree', () => {
  const keepBranch = { force: [], branch: false };
  const dropBranch = { force: [], branch: true };

  it('the report before the removal of a worktree counts the uncommitted files and the unmerged commits', async () => {
    withCommit({ 'cart.ts': 'one\n', '.gitignore': 'out/\n' });
    const worktree = await made();
    const facts = () => worktrees().look(worktree);
    expect(lossesOf(await facts(), dropBranch)).toEqual([]);
    writeFileSync(join(worktree.path, 'note.md'), 'mine\n');
    mkdirSync(join(worktree.path, 'out'));
    writeFileSync(join(worktree.path, 'out/a'), 'a');
    expect(await facts()).toMatchObject({ uncommitted: { count: 1, untracked: 1 }, ignored: 1 });
    expect(lossesOf(await facts(), keepBranch)).toMatchObject([{ loss: 'uncommitted' }]);
    git(worktree.path, 'add', 'note.md');
    git(worktree.path, 'commit', '-qm', 'work');
    expect(await facts()).toMatchObject({ ahead: 1, unmerged: 1, unreachable: 0 });
    expect(lossesOf(await facts(), keepBranch)).toEqual([]);
    expect(lossesOf(await facts(), dropBranch)).toMatchObject([{ loss: 'unmerged' }]);
    git(project, 'merge', '-q', worktree.branch);
    expect(lossesOf(await facts(), dropBranch)).toEqual([]);
    git(worktree.path, 'checkout', '-q', '--detach');
    writeFileSync(join(worktree.path, 'note.md'), 'more\n');
    git(worktree.path, 'commit', '-qam', 'on no branch');
    expect(lossesOf(await facts(), keepBranch)).toMatchObject([{ loss: 'unmerged' }]);
  });

  it('if git cannot read a worktree, the report before its removal says that uncommitted and unmerged work may exist', async () => {
    withCommit();
    const worktree = await made();
    rmSync(join(project, '.git'), { recursive: true });
    const facts = await worktrees().look(worktree);
    expect(facts.problem).not.toBeNull();
    expect(lossesOf(facts, keepBranch).map(({ loss }) => loss)).toEqual(['uncommitted', 'unmerged']);
    await worktrees().remove(worktree, { branch: false });
    expect(existsSync(worktree.path)).toBe(false);
  });

  it('the removal of a worktree deletes its folder and keeps its branch', async () => {
    withCommit();
    const worktree = await made();
    await worktrees().remove(worktree, { branch: false });
    expect(git(project, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(git(project, 'branch', '--list', 'baton/con')).toContain('baton/con');
    await worktrees().remove(worktree, { branch: true });
    expect(git(project, 'branch', '--list', 'baton/con')).toBe('');
  });

  it('the removal of a worktree keeps a branch that is checked out in another worktree', async () => {
    withCommit();
    const worktree = await made();
    const own = join(top, 'own');
    git(project, 'worktree', 'add', '-q', '--force', own, worktree.branch);
    await expect(worktrees().remove(worktree, { branch: true })).rejects.toThrow(`is checked out in ${own}`);
    expect([existsSync(worktree.path), git(own, 'rev-parse', '--abbrev-ref', 'HEAD')]).toEqual([false, 'baton/con']);
    expect(git(own, 'rev-parse', 'HEAD')).toBe(worktree.base);
  });

  it("the removal of a worktree does not follow a symbolic link in the worktree's path", async () => {
    withCommit();
    const worktree = await made();
    const elsewhere = join(top, 'elsewhere');
    mkdirSync(join(elsewhere, 'con'), { recursive: true });
    writeFileSync(join(elsewhere, 'con/precious'), 'x');
    rmSync(dirname(worktree.path), { recursive: true });
    symlinkSync(elsewhere, dirname(worktree.path));
    await expect(worktrees().remove(worktree, { branch: false })).rejects.toThrow('leads through a symbolic link');
    expect(existsSync(join(elsewhere, 'con/precious'))).toBe(true);
  });
});
