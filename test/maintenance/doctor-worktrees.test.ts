import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DoctorReport, type Finding } from '../../src/contract/maintenance.ts';
import type { Agent, Project } from '../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../support/baton-process.ts';

/** Tests that each command that `baton doctor` suggests for a faulty worktree really repairs the worktree. */

let baton: BatonProcess;
let project: Project;
beforeAll(async () => {
  baton = await new BatonProcess().start();
  const path = baton.project();
  git(path, 'init', '-q', '-b', 'main');
  git(path, 'add', '-A');
  git(path, 'commit', '-qm', 'first');
  project = (await baton.call<Project>('POST', '/api/projects', { path })).body;
});
afterAll(async () => {
  await baton.cleanUp();
  rmSync(project.path, { recursive: true, force: true });
});

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
    stdio: 'pipe',
  }).trim();

/** Creates a worktree with a commit, and ends the agent of the worktree. Returns the folder of the worktree. */
async function worktree(name: string): Promise<string> {
  const wanted = { project_id: project.id, worktree: name };
  const { id } = (await baton.call<Agent>('POST', '/api/agents', wanted)).body;
  const { folder } = await baton.ready(id, false);
  await baton.call('POST', `/api/agents/${id}/stop`, { force: true });
  await expect.poll(async () => (await baton.get<Agent>(`/api/agents/${id}`)).state).toBe('ended');
  writeFileSync(join(folder, 'work.txt'), `${name}\n`);
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', `work in ${name}`);
  return folder;
}

async function findings(): Promise<Finding[]> {
  const env = { ...process.env, BATON_HOME: baton.home };
  const ran = await run(process.execPath, [PROGRAM, 'doctor', '--json'], env);
  return DoctorReport.parse(JSON.parse(ran.stdout)).findings.filter(({ check }) => check.startsWith('worktree'));
}

/** Runs the command that the report names after its last colon, as an operator would who copies the command. */
async function follow(remedy: string | null): Promise<void> {
  const command = remedy?.split(': ').at(-1) ?? '';
  const baton_ = `'${process.execPath}' '${PROGRAM}'`;
  const line = command.replace(/^baton (.*)$/, `${baton_} $1 --yes`);
  const ran = await run('/bin/sh', ['-c', line], { ...process.env, BATON_HOME: baton.home, BATON_AGENT_TOKEN: '' });
  expect([command, ran.stderr, ran.code]).toEqual([command, expect.any(String), 0]);
}

const WELL = { check: 'worktrees', level: 'ok' };

describe('baton doctor about worktrees', () => {
  it('if all worktrees are intact, `baton doctor` reports no problem', async () => {
    await worktree('well');
    expect(await findings()).toMatchObject([{ ...WELL, sentence: '1 worktree: folder, git and branch match.' }]);
  });

  it('for a worktree without a folder, `baton doctor` suggests a fix that removes the worktree from the list', async () => {
    rmSync(await worktree('gone'), { recursive: true });
    const [found] = await findings();
    expect(found).toMatchObject({
      check: 'worktree gone',
      level: 'warning',
      sentence: expect.stringContaining('is gone'),
    });
    await follow(found?.remedy ?? null);
    expect(await findings()).toMatchObject([WELL]);
    expect(git(project.path, 'log', '-1', '--format=%s', 'baton/gone')).toBe('work in gone');
  });

  it('`baton doctor` suggests a fix for a folder that is not in the list of worktrees', async () => {
    const home = join(baton.home, 'worktrees', `${project.name.toLowerCase()}-x`);
    const [known, plain] = [join(home, "it's known"), join(home, 'plain')];
    git(project.path, 'worktree', 'add', '-q', '-b', 'stray', known);
    mkdirSync(plain, { recursive: true });
    const found = await findings();
    expect(found.map(({ check, level }) => [check, level])).toEqual([
      ['worktrees', 'warning'],
      ['worktrees', 'warning'],
    ]);
    for (const { remedy } of found) await follow(remedy);
    expect([existsSync(known), existsSync(plain)]).toEqual([false, false]);
    expect(await findings()).toMatchObject([WELL]);
  });

  it('for a worktree without a .git file, `baton doctor` suggests a fix that restores the file', async () => {
    const folder = await worktree('linkless');
    rmSync(join(folder, '.git'));
    const [found] = await findings();
    expect(found).toMatchObject({ check: 'worktree linkless', level: 'warning' });
    await follow(found?.remedy ?? null);
    expect(await findings()).toMatchObject([WELL]);
    expect(git(folder, 'status', '--porcelain')).toBe('');
  });

  it('for a worktree that git no longer knows, `baton doctor` suggests a fix that keeps the branch', async () => {
    const folder = await worktree('forgotten');
    rmSync(join(project.path, '.git/worktrees/forgotten'), { recursive: true });
    const [found] = await findings();
    expect(found).toMatchObject({
      check: 'worktree forgotten',
      sentence: expect.stringContaining('git no longer knows'),
    });
    expect(found?.remedy).toContain(`Copy what you need from ${folder}`);
    await follow(found?.remedy ?? null);
    expect([existsSync(folder), await findings()]).toMatchObject([false, [WELL]]);
    expect(git(project.path, 'log', '-1', '--format=%s', 'baton/forgotten')).toBe('work in forgotten');
  });

  it('for a worktree with a deleted branch, `baton doctor` suggests a fix that creates the branch again', async () => {
    const folder = await worktree('branchless');
    git(project.path, 'update-ref', '-d', 'refs/heads/baton/branchless');
    const [found] = await findings();
    expect(found).toMatchObject({ check: 'worktree branchless', level: 'warning' });
    await follow(found?.remedy ?? null);
    expect(await findings()).toMatchObject([WELL]);
    expect(git(folder, 'log', '-1', '--format=%s')).toBe('work in branchless');
  });

  it('`baton doctor` reports a renamed branch of a worktree as a note, not as an error', async () => {
    const folder = await worktree('renamed');
    git(folder, 'branch', '-m', 'feature');
    expect(await findings()).toMatchObject([{ check: 'worktree renamed', level: 'note' }]);
    git(folder, 'branch', '-m', 'baton/renamed');
  });

  it('if a repository was moved away, `baton doctor` says so', async () => {
    renameSync(project.path, `${project.path}-away`);
    const found = await findings();
    renameSync(`${project.path}-away`, project.path);
    expect(found.every(({ sentence }) => sentence.startsWith(`The repository ${project.path} is gone`))).toBe(true);
    expect([found.length > 1, await findings()]).toMatchObject([true, [WELL]]);
  });
});
