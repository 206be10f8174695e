import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProjectFacts } from '../../../src/adapters/git/create-project-facts.ts';
import { excludeArchive } from '../../../src/adapters/git/exclude-archive.ts';
import type { GitRepository } from '../../../src/domain/handoffs/document/git-facts.ts';
import { isRunning } from '../../support/is-running.ts';
import { needs, ROOT_ACCOUNT } from '../../support/needs.ts';

let top = '';
let home = '';
let env: NodeJS.ProcessEnv = {};
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'btg-')));
  home = join(top, 'home');
  mkdirSync(home);
  env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const GIT_ENV = {
  GIT_AUTHOR_NAME: 'n',
  GIT_AUTHOR_EMAIL: 'n@example.org',
  GIT_COMMITTER_NAME: 'n',
  GIT_COMMITTER_EMAIL: 'n@example.org',
};
const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', args, {
    timeout: 120_000,
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, ...GIT_ENV },
    stdio: 'pipe',
  }).trim();

function repository(name = 'shop', ...init: string[]): string {
  const folder = join(top, name);
  mkdirSync(folder);
  git(folder, 'init', '-q', '-b', 'main', ...init);
  return folder;
}

function withCommit(folder = repository()): string {
  writeFileSync(join(folder, 'cart.ts'), 'one\ntwo\n');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'first');
  return folder;
}

const look = (folder: string, commits: string[] = []) =>
  createProjectFacts({ env, timeoutMs: 50_000 }).git(folder, commits);
async function repositoryFacts(folder: string, commits: string[] = []): Promise<GitRepository> {
  const facts = await look(folder, commits);
  if (facts.kind !== 'repository') throw new Error(facts.sentence);
  return facts;
}

/**
 * Returns the content and the modification time of every file in a folder, to show that the git report changes no file.
 */
const contentsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file, `${statSync(file, { bigint: true }).mtimeNs} ${readFileSync(file, 'base64')}`]),
  );

it("[D3] files in Baton's package archive do not count as uncommitted work of the agent", async () => {
  const folder = withCommit();
  const archive = join(folder, 'sub/.project/07-audit/sessions/s-1/handoffs');
  mkdirSync(archive, { recursive: true });
  for (const name of ['HO-2026-001.yaml', 'HO-2026-001.record.yaml']) writeFileSync(join(archive, name), 'one\n');
  expect((await repositoryFacts(folder)).dirty).toMatchObject({ count: 0, untracked: 0, files: [] });
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'archive');
  writeFileSync(join(archive, 'HO-2026-001.record.yaml'), 'two\n');
  expect(await repositoryFacts(folder)).toMatchObject({ dirty: { count: 0 }, diffstat: { files: 0 } });
  writeFileSync(join(folder, 'sub/.project/workflow.yaml'), 'workflow:\n');
  expect((await repositoryFacts(folder)).dirty?.files).toEqual([
    { path: 'sub/.project/workflow.yaml', state: 'untracked' },
  ]);
});

it('[D2] `baton project exclude` keeps the package archive out of `git add`', async () => {
  const folder = withCommit();
  const project = join(folder, 'sub [1]');
  mkdirSync(join(project, '.project/07-audit'), { recursive: true });
  writeFileSync(join(project, '.project/07-audit/x.yaml'), '');
  const done = await excludeArchive(project, env);
  expect(done).toEqual({
    file: join(folder, '.git/info/exclude'),
    pattern: '/sub \\[1\\]/.project/07-audit/',
    added: true,
  });
  expect(git(folder, 'status', '--porcelain')).toBe('');
  expect((await excludeArchive(project, env)).added).toBe(false);
  await expect(excludeArchive(home, env)).rejects.toThrow(/not a git repository/i);
});

describe('the git report of a project', () => {
  it('the git report describes a clean working tree', async () => {
    const folder = withCommit();
    expect(await look(folder)).toEqual({
      kind: 'repository',
      root: folder,
      head: git(folder, 'rev-parse', 'HEAD'),
      branch: 'main',
      branches: { names: ['main'], all: true },
      dirty: { count: 0, untracked: 0, unsure: 0, files: [] },
      diffstat: { files: 0, insertions: 0, deletions: 0 },
      upstream: null,
      unknownCommits: [],
    });
  });

  it('the git report describes staged and unstaged changes', async () => {
    const folder = withCommit();
    for (const name of ['gone', 'staged']) writeFileSync(join(folder, name), 'x\n');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'second');
    writeFileSync(join(folder, 'cart.ts'), 'one\n2\nthree\n');
    rmSync(join(folder, 'gone'));
    writeFileSync(join(folder, 'staged'), 'y\n');
    writeFileSync(join(folder, 'new'), 'n\n');
    git(folder, 'add', 'staged', 'new');
    mkdirSync(join(folder, 'out'));
    writeFileSync(join(folder, 'out/a.log'), '');
    const before = contentsOf(folder);
    const facts = await repositoryFacts(folder);
    expect(facts.dirty).toEqual({
      count: 5,
      untracked: 1,
      unsure: 0,
      files: [
        { path: 'cart.ts', state: 'changed' },
        { path: 'gone', state: 'deleted' },
        { path: 'new', state: 'added' },
        { path: 'staged', state: 'changed' },
        { path: 'out/', state: 'untracked' },
      ],
    });
    expect(facts.diffstat).toEqual({ files: 4, insertions: 4, deletions: 3 });
    expect(contentsOf(folder)).toEqual(before);
  });

  it('the git report lists a changed file as dirty even if its size and modification time did not change', async () => {
    const folder = withCommit();
    utimesSync(join(folder, 'cart.ts'), 1, 1);
    expect((await repositoryFacts(folder)).dirty?.count).toBe(0);
    // The changed file has the size and the mtime that git's index contains, and git is configured to ignore ctime. Git
    // therefore has to read the content to find the change.
    git(folder, 'config', 'core.trustctime', 'false');
    utimesSync(join(folder, 'cart.ts'), 1_000, 1_000);
    git(folder, 'update-index', '--refresh');
    writeFileSync(join(folder, 'cart.ts'), 'two\none\n');
    for (const file of ['cart.ts', '.git/index']) utimesSync(join(folder, file), 1_000, 1_000);
    expect((await repositoryFacts(folder)).dirty?.files).toEqual([{ path: 'cart.ts', state: 'changed' }]);
  });

  it('the git report lists at most 50 dirty files, but counts all dirty files', async () => {
    const folder = withCommit();
    for (let n = 0; n < 120; n++) writeFileSync(join(folder, `n${n}`), '');
    const { dirty } = await repositoryFacts(folder);
    expect(dirty?.count).toBe(120);
    expect(dirty?.files).toHaveLength(50);
  });

  it('the git report contains file names with newlines, quotes and escapes unchanged', async () => {
    const folder = withCommit();
    const names = ['a\nb', 'q"uo\'te', 't\tab', '\u001b[31mred', '-rf', 'ünï', ' lead', '?? x'];
    for (const name of names) writeFileSync(join(folder, name), 'x\n');
    git(folder, 'add', '-A');
    const facts = await repositoryFacts(folder);
    expect(facts.dirty?.files.map(({ path }) => path).sort()).toEqual([...names].sort());
    expect(facts.diffstat).toEqual({ files: names.length, insertions: names.length, deletions: 0 });
  });

  it('the git report describes a repository without commits', async () => {
    const folder = repository();
    writeFileSync(join(folder, 'a'), 'x\ny\n');
    git(folder, 'add', '-A');
    expect(await repositoryFacts(folder)).toMatchObject({
      head: null,
      branch: 'main',
      dirty: { count: 1, files: [{ path: 'a', state: 'added' }] },
      diffstat: { files: 1, insertions: 2, deletions: 0 },
    });
  });

  it('the git report describes a detached HEAD', async () => {
    const folder = withCommit();
    git(folder, 'checkout', '-q', '--detach');
    expect(await repositoryFacts(folder)).toMatchObject({ branch: null, head: git(folder, 'rev-parse', 'HEAD') });
  });

  it('the git report describes a conflict and a binary file', async () => {
    const folder = withCommit();
    git(folder, 'checkout', '-qb', 'other');
    writeFileSync(join(folder, 'cart.ts'), 'other\n');
    git(folder, 'commit', '-qam', 'other');
    git(folder, 'checkout', '-q', 'main');
    writeFileSync(join(folder, 'cart.ts'), 'main\n');
    git(folder, 'commit', '-qam', 'main');
    spawnSync('git', ['merge', 'other'], { cwd: folder, env: { ...env, ...GIT_ENV } });
    writeFileSync(join(folder, 'b.bin'), Buffer.from([0, 1, 2]));
    git(folder, 'add', 'b.bin');
    const { dirty, diffstat } = await repositoryFacts(folder);
    expect(dirty?.files).toEqual(
      expect.arrayContaining([
        { path: 'cart.ts', state: 'conflicted' },
        { path: 'b.bin', state: 'added' },
      ]),
    );
    expect(diffstat?.files).toBe(2);
  });

  it('the git report describes a worktree, even from a folder inside the worktree', async () => {
    const folder = withCommit();
    const tree = join(top, 'tree');
    git(folder, 'worktree', 'add', '-qb', 'side', tree);
    mkdirSync(join(tree, 'deep'));
    writeFileSync(join(tree, 'cart.ts'), 'changed\n');
    for (const from of [tree, join(tree, 'deep')]) {
      const facts = await repositoryFacts(from);
      expect(facts).toMatchObject({ root: tree, branch: 'side', dirty: { count: 1 } });
    }
    expect((await repositoryFacts(folder)).dirty?.count).toBe(0);
  });

  it('the git report is correct with a split index, SHA-256, CRLF and ignored files', async () => {
    const split = withCommit();
    git(split, 'update-index', '--split-index');
    writeFileSync(join(split, 'cart.ts'), 'changed\n');
    writeFileSync(join(split, 'mine'), '');
    writeFileSync(join(split, 'ours'), '');
    writeFileSync(join(split, '.git/info/exclude'), 'ours\n');
    mkdirSync(join(home, '.config/git'), { recursive: true });
    writeFileSync(join(home, '.config/git/ignore'), 'mine\n');
    expect((await repositoryFacts(split)).dirty?.files).toEqual([{ path: 'cart.ts', state: 'changed' }]);

    const long = withCommit(repository('long', '--object-format=sha256'));
    expect(await repositoryFacts(long)).toMatchObject({ dirty: { count: 0 }, diffstat: { files: 0 } });

    const crlf = repository('crlf');
    git(crlf, 'config', 'core.autocrlf', 'true');
    writeFileSync(join(crlf, 'cart.ts'), 'one\r\ntwo\r\n');
    git(crlf, 'add', '-A');
    git(crlf, 'commit', '-qm', 'first');
    utimesSync(join(crlf, 'cart.ts'), 1, 1);
    expect((await repositoryFacts(crlf)).dirty?.count).toBe(0);
  });

  it("the git report leaves out files that the operator's git settings ignore", async () => {
    const folder = withCommit();
    writeFileSync(join(folder, 'mine'), '');
    writeFileSync(join(top, 'ignored'), 'mine\n');
    writeFileSync(join(top, 'settings'), `[core]\n\texcludesFile = ${join(top, 'ignored')}\n`);
    const { GIT_CONFIG_NOSYSTEM: _, ...plain } = env;
    for (const place of ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM']) {
      const facts = await createProjectFacts({ env: { ...plain, [place]: join(top, 'settings') } }).git(folder);
      expect(facts).toMatchObject({ dirty: { count: 0 } });
    }
    expect((await repositoryFacts(folder)).dirty?.count).toBe(1);
  });

  it("the git report does not depend on the operator's git settings for colors and output", async () => {
    const folder = withCommit();
    writeFileSync(join(folder, 'cart.ts'), 'one\n');
    writeFileSync(join(folder, 'ä ö'), '');
    const usual = await repositoryFacts(folder);
    writeFileSync(
      join(home, '.gitconfig'),
      [
        '[commit]\n\tgpgSign = true\n[tag]\n\tgpgSign = true\n[gpg]\n\tprogram = /nowhere/gpg',
        '[color]\n\tui = always\n[column]\n\tui = always\n[core]\n\tabbrev = 4\n\tquotePath = true\n\tpager = /nowhere/less',
        '[status]\n\tshort = true\n\tbranch = true\n\tshowUntrackedFiles = no\n\trelativePaths = true',
        '[diff]\n\texternal = /nowhere/diff\n\tnoprefix = true\n\trenames = copies\n\tmnemonicPrefix = true',
        '[log]\n\tdate = relative\n\tshowSignature = true\n\tdecorate = full\n[format]\n\tpretty = oneline',
        '[init]\n\tdefaultBranch = trunk\n[branch]\n\tsort = -committerdate\n[safe]\n\tbareRepository = explicit\n',
      ].join('\n'),
    );
    expect(await repositoryFacts(folder)).toEqual(usual);
    expect(usual.dirty?.files.map(({ path }) => path).sort()).toEqual(['cart.ts', 'ä ö']);
  });

  it('the git report counts the commits ahead of and behind the upstream, as last fetched', async () => {
    const origin = withCommit(repository('origin'));
    git(top, 'clone', '-q', origin, 'clone');
    const clone = join(top, 'clone');
    for (const [folder, times] of [
      [origin, 1],
      [clone, 2],
    ] as const)
      for (let n = 0; n < times; n++) git(folder, 'commit', '-q', '--allow-empty', '-m', `${folder} ${n}`);
    git(clone, 'fetch', '-q');
    const facts = await repositoryFacts(clone);
    expect(facts.upstream).toEqual({ name: 'origin/main', ahead: 2, behind: 1 });
    expect(facts.branches.names).toEqual(['main', 'origin/HEAD', 'origin/main']);
    const shallow = join(top, 'shallow');
    git(top, 'clone', '-q', '--depth=1', `file://${origin}`, 'shallow');
    git(shallow, 'commit', '-q', '--allow-empty', '-m', 'more');
    expect((await repositoryFacts(shallow)).upstream).toEqual({ name: 'origin/main', ahead: 1, behind: 0 });
  });

  it('the git report says which of the given commit hashes are unknown in the repository', async () => {
    const folder = withCommit();
    const head = git(folder, 'rev-parse', 'HEAD');
    const blob = git(folder, 'rev-parse', 'HEAD:cart.ts');
    const { unknownCommits } = await repositoryFacts(folder, [
      head,
      head.slice(0, 8),
      'abcdef1234',
      blob,
      '--batch',
      'HEAD\nHEAD',
    ]);
    expect(unknownCommits).toEqual(['abcdef1234', blob]);
  });
});

describe('the git report of an unusual repository', () => {
  it('the git report is correct if the path of the repository contains newlines', async () => {
    const folder = withCommit(repository('a\nb\nc'));
    writeFileSync(join(folder, 'cart.ts'), 'one\n');
    expect(await repositoryFacts(folder)).toMatchObject({ root: folder, branch: 'main', dirty: { count: 1 } });
    const unborn = repository('d\ne');
    expect(await repositoryFacts(unborn)).toMatchObject({ root: unborn, head: null, branch: 'main' });
  });

  it('the git report names the right branch if a tag has the same name', async () => {
    const folder = withCommit();
    git(folder, 'tag', 'main');
    expect((await repositoryFacts(folder)).branch).toBe(git(folder, 'symbolic-ref', '--short', 'HEAD'));
    git(folder, 'tag', '-d', 'main');
    git(folder, 'tag', 'HEAD');
    expect(await repositoryFacts(folder)).toMatchObject({ branch: 'main', head: git(folder, 'rev-parse', '@') });
  });

  it('the git report counts the commits ahead of and behind an upstream that is a local branch', async () => {
    const origin = withCommit(repository('origin'));
    const clone = (name: string): string => {
      git(top, 'clone', '-q', origin, name);
      return join(top, name);
    };
    const local = clone('local');
    git(local, 'checkout', '-qb', 'side', '--track', 'main');
    git(local, 'commit', '-q', '--allow-empty', '-m', 'more');
    expect((await repositoryFacts(local)).upstream).toEqual({ name: 'main', ahead: 1, behind: 0 });
    const odd = clone('odd');
    git(odd, 'config', 'remote.origin.fetch', '+refs/heads/*:refs/odd/*');
    git(odd, 'fetch', '-q');
    expect((await repositoryFacts(odd)).upstream).toEqual({ name: 'odd/main', ahead: 0, behind: 0 });
    const many = clone('many');
    const head = git(many, 'rev-parse', 'HEAD');
    const input = Array.from({ length: 1_001 }, (_, n) => `create refs/heads/a${n} ${head}\n`).join('');
    execFileSync('git', ['update-ref', '--stdin'], { cwd: many, env, input });
    expect((await repositoryFacts(many)).upstream).toEqual({ name: 'origin/main', ahead: 0, behind: 0 });
  });

  it('the git report lists dirty files even if a commit between HEAD and the upstream is missing', async () => {
    const origin = withCommit(repository('origin'));
    git(top, 'clone', '-q', '--no-hardlinks', origin, 'clone');
    const clone = join(top, 'clone');
    const lost = git(clone, 'rev-parse', 'HEAD');
    git(clone, 'commit', '-q', '--allow-empty', '-m', 'more');
    rmSync(join(clone, '.git/objects', lost.slice(0, 2), lost.slice(2)));
    writeFileSync(join(clone, 'cart.ts'), 'one\n');
    expect(await repositoryFacts(clone)).toMatchObject({ upstream: null, dirty: { count: 1 } });
  });

  it('the git report counts a changed file as uncertain, not as dirty, if the file has a git filter', async () => {
    const folder = repository();
    writeFileSync(join(folder, '.gitattributes'), '*.ts filter=lfs\n');
    withCommit(folder);
    git(folder, 'update-index', '--skip-worktree', '.gitattributes');
    rmSync(join(folder, '.gitattributes'));
    writeFileSync(join(folder, 'cart.ts'), 'changed\n');
    for (const change of [[], ['--index-version=4'], ['--split-index']]) {
      git(folder, 'update-index', ...change);
      expect((await repositoryFacts(folder)).dirty).toMatchObject({ count: 0, unsure: 1 });
    }
  });
});

describe('the number of git calls', () => {
  /** Returns a reader of git reports, and a function that returns how often the reader has run git. */
  function countedFacts() {
    const bin = mkdtempSync(join(top, 'bin-'));
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    writeFileSync(join(bin, 'git'), `#!/bin/sh\necho call >> '${bin}/calls'\nexec '${real}' "$@"\n`, { mode: 0o755 });
    const facts = createProjectFacts({ env: { ...env, PATH: `${bin}:${env.PATH}` }, timeoutMs: 50_000 });
    return { facts, calls: () => readFileSync(join(bin, 'calls'), 'utf8').trim().split('\n').length };
  }

  /** Returns how often git runs for one git report of the given folder. */
  async function callsFor(folder: string, commits: string[] = []): Promise<number> {
    const { facts, calls } = countedFacts();
    await facts.git(folder, commits);
    return calls();
  }

  it('twenty simultaneous requests for the git report of one folder cause one report with five git calls', async () => {
    const folder = withCommit();
    const { facts, calls } = countedFacts();
    await Promise.all(Array.from({ length: 20 }, () => facts.git(folder)));
    expect(calls()).toBe(5);
  });

  it('if two callers share one git report, each caller learns only which of its own commit hashes are unknown', async () => {
    const folder = withCommit();
    const { facts } = countedFacts();
    const reports = await Promise.all([facts.git(folder, ['abcdef1']), facts.git(folder, ['abcdef2'])]);
    expect(reports).toMatchObject([{ unknownCommits: ['abcdef1'] }, { unknownCommits: ['abcdef2'] }]);
  });

  it('the git report of a branch with an upstream needs five calls of git', async () => {
    git(top, 'clone', '-q', withCommit(), 'clone');
    const clone = join(top, 'clone');
    git(clone, 'commit', '-q', '--allow-empty', '-m', 'more');
    writeFileSync(join(clone, 'cart.ts'), 'changed\n');
    expect(await callsFor(clone)).toBe(5);
    expect(await callsFor(clone, ['abcdef1234'])).toBe(6);
  });

  it('the git report needs one more call of git if a changed file could have a git filter', async () => {
    const folder = repository();
    writeFileSync(join(folder, '.gitattributes'), '*.bin binary\n');
    withCommit(folder);
    expect(await callsFor(folder)).toBe(5);
    writeFileSync(join(folder, 'cart.ts'), 'changed\n');
    expect(await callsFor(folder)).toBe(6);
  });
});

describe('a git report that is unknown', () => {
  it('the git report is unknown for a folder that is not a repository', async () => {
    expect(await look(home)).toMatchObject({ kind: 'unknown', why: 'not_a_repository' });
  });

  it('the git report is unknown for a bare repository', async () => {
    const bare = repository('bare', '--bare');
    expect(await look(bare)).toMatchObject({ kind: 'unknown', why: 'no_work_tree' });
    expect(await look(join(withCommit(), '.git'))).toMatchObject({ kind: 'unknown', why: 'no_work_tree' });
  });

  it('the git report is unknown for a folder that no longer exists', async () => {
    expect(await look(join(top, 'gone'))).toMatchObject({ kind: 'unknown', why: 'failed' });
  });

  it('the git report is unknown for a broken repository', async () => {
    const folder = withCommit();
    writeFileSync(join(folder, '.git/config'), '[core\n');
    expect(await look(folder)).toMatchObject({ kind: 'unknown', why: 'failed' });
    const other = withCommit(repository('other'));
    writeFileSync(join(other, '.git/index'), 'garbage');
    expect(await look(other)).toMatchObject({ kind: 'repository', branch: 'main', dirty: null, diffstat: null });
  });

  it('the git report is unknown if git is not on the PATH', async () => {
    const facts = await createProjectFacts({ env: { PATH: join(top, 'empty') } }).git(withCommit());
    expect(facts).toMatchObject({ kind: 'unknown', why: 'no_git' });
  });

  it('the git report is unknown if git hangs', async () => {
    const bin = join(top, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'git'), `#!/bin/sh\necho $$ > ${top}/pid\nexec tail -f /dev/null\n`, { mode: 0o755 });
    const slow = createProjectFacts({ env: { PATH: `${bin}:${process.env.PATH}` }, timeoutMs: 500 });
    const folder = withCommit();
    // Use a separate temporary folder, so that all `baton-git-` folders in it belong to this test.
    vi.stubEnv('TMPDIR', top);
    // Use fake timers, so that the timeout of the git report cannot expire before git has started, even on a slow
    // machine.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const facts = slow.git(folder);
    const running = () => (existsSync(join(top, 'pid')) ? Number(readFileSync(join(top, 'pid'), 'utf8')) : 0);
    await expect.poll(running).toBeGreaterThan(0);
    const pid = running();
    expect(isRunning(pid)).toBe(true);
    expect(readdirSync(top).filter((name) => name.startsWith('baton-git-'))).toHaveLength(1);
    vi.advanceTimersByTime(500);
    expect(await facts).toMatchObject({ why: 'too_slow', sentence: expect.stringContaining('within 0.5 seconds') });
    await expect.poll(() => isRunning(pid)).toBe(false);
    await expect.poll(() => readdirSync(top).filter((name) => name.startsWith('baton-git-'))).toEqual([]);
  });

  it(
    "the git report of another user's repository is unknown until git trusts that repository (the test needs root)",
    needs(ROOT_ACCOUNT),
    async () => {
      const folder = withCommit();
      chownSync(folder, 65534, 65534);
      chownSync(join(folder, '.git'), 65534, 65534);
      expect(await look(folder)).toMatchObject({
        why: 'not_trusted',
        sentence: expect.stringContaining('safe.directory'),
      });
      // Trust the repository in the operator's own settings, because git does not read safe.directory from the settings
      // of the repository.
      git(home, 'config', '--global', 'safe.directory', folder);
      expect(await look(folder)).toMatchObject({ kind: 'repository' });
    },
  );

  it(
    "if the project is a subfolder of another user's repository, the command that Baton advises makes git trust the repository (the test needs root)",
    needs(ROOT_ACCOUNT),
    async () => {
      const folder = withCommit(repository("Ann's shop"));
      mkdirSync(join(folder, 'sub'));
      for (const each of [folder, join(folder, '.git'), join(folder, 'sub')]) chownSync(each, 65534, 65534);
      const refused = await look(join(folder, 'sub'));
      expect(refused).toMatchObject({ why: 'not_trusted', sentence: expect.stringContaining(`repository ${folder} `) });
      const [, advised = ''] = /If you trust it: (.*)$/.exec('sentence' in refused ? refused.sentence : '') ?? [];
      execFileSync('sh', ['-c', advised], { env, timeout: 120_000, stdio: 'pipe' });
      expect(await look(join(folder, 'sub'))).toMatchObject({ kind: 'repository', root: folder });
    },
  );

  it.each(['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM'])(
    "the git report of another user's repository is known if %s names a git settings file that trusts the repository",
    needs(ROOT_ACCOUNT),
    async (variable) => {
      const folder = withCommit();
      chownSync(folder, 65534, 65534);
      chownSync(join(folder, '.git'), 65534, 65534);
      const file = join(top, 'gitconfig');
      writeFileSync(file, `[safe]\n\tdirectory = ${folder}\n`);
      env = { PATH: env.PATH, HOME: home, [variable]: file };
      expect(await look(folder)).toMatchObject({ kind: 'repository' });
      // Make git ignore the system file with GIT_CONFIG_NOSYSTEM. Then only the global file can still make git trust
      // the repository.
      env = { ...env, GIT_CONFIG_NOSYSTEM: '1' };
      const kind = variable === 'GIT_CONFIG_GLOBAL' ? 'repository' : 'unknown';
      expect(await look(folder)).toMatchObject({ kind });
    },
  );
});

describe('code that a repository provides', () => {
  let canary = '';
  let bird = '';
  beforeEach(() => {
    bird = join(top, 'sang');
    canary = join(top, 'canary');
    writeFileSync(canary, `#!/bin/sh\necho "$0 $*" >> '${bird}'\nexit 1\n`, { mode: 0o755 });
  });
  const sang = (): boolean => existsSync(bird);

  /** Sets every git option that can start a program, in a repository where git would use these options. */
  function trap(folder: string, name = 'f.x'): void {
    writeFileSync(join(folder, name), 'x\n');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'trap');
    writeFileSync(join(folder, '.gitattributes'), `*.x filter=evil diff=evil merge=evil\n*.y filter=slow\n`);
    writeFileSync(join(folder, '.git/info/attributes'), '*.x filter=evil diff=evil\n');
    const settings: Record<string, string> = {
      'core.fsmonitor': canary,
      'core.hooksPath': join(top, 'hooks'),
      'core.sshCommand': canary,
      'core.gitProxy': canary,
      'core.pager': canary,
      'core.editor': canary,
      'core.askPass': canary,
      'core.alternateRefsCommand': canary,
      'pager.status': canary,
      'pager.diff': canary,
      'credential.helper': `!${canary}`,
      'diff.external': canary,
      'diff.evil.command': canary,
      'diff.evil.textconv': canary,
      'merge.evil.driver': canary,
      'filter.evil.clean': canary,
      'filter.evil.smudge': canary,
      'filter.evil.required': 'true',
      'filter.slow.process': canary,
      'gpg.program': canary,
      'log.showSignature': 'true',
      'alias.status': `!${canary}`,
      'alias.rev-parse': `!${canary}`,
      'uploadpack.packObjectsHook': canary,
      'submodule.recurse': 'true',
      'status.submoduleSummary': 'true',
      'diff.ignoreSubmodules': 'none',
    };
    for (const [key, value] of Object.entries(settings)) git(folder, 'config', key, value);
    for (const place of [join(folder, '.git/hooks'), join(top, 'hooks')]) {
      mkdirSync(place, { recursive: true });
      for (const hook of [
        'post-index-change',
        'reference-transaction',
        'post-checkout',
        'pre-auto-gc',
        'fsmonitor-watchman',
      ]) {
        writeFileSync(join(place, hook), readFileSync(canary), { mode: 0o755 });
      }
    }
    writeFileSync(join(folder, name), 'y\n');
    writeFileSync(join(folder, 'late.y'), 'y\n');
    rmSync(bird, { force: true });
  }

  it("without Baton's precautions, git does run the programs in the settings of the test repository", () => {
    const folder = withCommit();
    trap(folder);
    spawnSync('git', ['status', '--porcelain'], { cwd: folder, env });
    expect(sang()).toBe(true);
    for (const key of ['core.fsmonitor', 'core.hooksPath']) git(folder, 'config', '--unset', key);
    rmSync(bird, { force: true });
    // Switch off all other programs that git could start, so that only the filter of the repository can run.
    const quiet = ['-c', 'core.fsmonitor=false', 'diff', '--numstat', '--no-ext-diff', '--no-textconv'];
    spawnSync('git', quiet, { cwd: folder, env });
    expect(readFileSync(bird, 'utf8')).toContain(canary);
  });

  it('the git report runs no program from the settings, attributes or hooks of the repository', async () => {
    const folder = withCommit();
    trap(folder);
    const facts = await repositoryFacts(folder, [git(folder, 'rev-parse', 'HEAD')]);
    expect(sang()).toBe(false);
    expect(facts.dirty).toMatchObject({ count: 2, unsure: 1, untracked: 2 });
  });

  it('the git report runs no code of submodules or included settings', async () => {
    const inner = withCommit(repository('inner'));
    const folder = withCommit();
    git(folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    git(folder, 'commit', '-qm', 'sub');
    const sub = join(folder, 'sub');
    rmSync(join(folder, '.git/modules/sub/info'), { recursive: true, force: true });
    git(sub, 'config', 'core.fsmonitor', canary);
    git(sub, 'config', 'filter.evil.clean', canary);
    writeFileSync(join(sub, '.gitattributes'), '* filter=evil\n');
    writeFileSync(join(sub, 'cart.ts'), 'ONE\ntwo\n');
    writeFileSync(join(top, 'more'), `[core]\n\tfsmonitor = ${canary}\n[filter "evil"]\n\tclean = ${canary}\n`);
    git(folder, 'config', 'include.path', join(top, 'more'));
    rmSync(bird, { force: true });
    expect((await repositoryFacts(folder)).dirty).toMatchObject({ count: 0 });
    expect(sang()).toBe(false);
    // Commit in the submodule. A submodule counts as a changed file if its commit is not the commit that the outer
    // repository records.
    git(sub, '-c', 'core.fsmonitor=false', 'commit', '-q', '--allow-empty', '-m', 'moved');
    rmSync(bird, { force: true });
    expect((await repositoryFacts(folder)).dirty?.files).toEqual([{ path: 'sub', state: 'changed' }]);
    expect(sang()).toBe(false);
  });

  it("the git report does not run the repository's program for fetching missing objects", async () => {
    const folder = withCommit();
    const blob = git(folder, 'rev-parse', 'HEAD:cart.ts');
    const tip = git(folder, 'commit-tree', 'HEAD^{tree}', '-m', 'lost');
    git(folder, 'update-ref', 'refs/heads/lost', tip);
    const settings = {
      'core.repositoryFormatVersion': '1',
      'extensions.partialClone': 'origin',
      'remote.origin.url': 'ssh://example.invalid/x',
      'remote.origin.promisor': 'true',
      'core.sshCommand': canary,
    };
    for (const [key, value] of Object.entries(settings)) git(folder, 'config', key, value);
    for (const object of [blob, tip])
      rmSync(join(folder, '.git/objects', object.slice(0, 2), object.slice(2)), { force: true });
    writeFileSync(join(folder, 'cart.ts'), 'changed\n');
    spawnSync('git', ['diff', '--numstat'], { cwd: folder, env });
    expect(sang()).toBe(true);
    rmSync(bird);
    const facts = await repositoryFacts(folder, ['abcdef1234', tip]);
    expect(sang()).toBe(false);
    expect(facts).toMatchObject({ branch: 'main', dirty: { count: 1 }, diffstat: null });
    expect(facts.unknownCommits).toEqual(['abcdef1234', tip]);
  });

  it("Baton does not use a program named git in the project's folder to make the git report", async () => {
    const folder = withCommit();
    writeFileSync(join(folder, 'git'), readFileSync(canary), { mode: 0o755 });
    await createProjectFacts({ env: { ...env, PATH: `.:${process.env.PATH}` } }).git(folder);
    expect(sang()).toBe(false);
  });

  it('the git report ignores GIT_* variables that name another repository or program', async () => {
    const folder = withCommit();
    const other = withCommit(repository('other'));
    env = { ...env, GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other, GIT_EXTERNAL_DIFF: canary };
    expect((await repositoryFacts(folder)).root).toBe(folder);
    expect(sang()).toBe(false);
  });
});

describe('the check for missing paths', () => {
  it('if a path is outside the project, Baton does not report the path as missing', async () => {
    const folder = join(top, 'p');
    mkdirSync(join(folder, 'src'), { recursive: true });
    writeFileSync(join(folder, 'src/a.ts'), '');
    symlinkSync('/nowhere', join(folder, 'dangling'));
    chmodSync(folder, 0o755);
    const paths = [
      'src/a.ts',
      './src/b.ts',
      join(folder, 'c.ts'),
      '/etc/none.ts',
      '../none.ts',
      'src/a.ts/d.ts',
      'dangling',
      '.',
    ];
    expect(await createProjectFacts({ env }).missingPaths(folder, paths)).toEqual([
      './src/b.ts',
      join(folder, 'c.ts'),
      'src/a.ts/d.ts',
    ]);
  });
});
