import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, Persona, Project, Run } from '../../../src/contract/resources.ts';
import type { Worktree, WorktreeRemoval } from '../../../src/contract/worktrees.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';
import { OperatorTmux } from '../../support/operator-tmux.ts';

/** Tests agents with their own worktrees, with the real server, git, tmux and practice agents. */

let baton: BatonProcess;
let project = '';
const projects: string[] = [];
beforeEach(async () => {
  baton = new BatonProcess();
  project = repository();
  await baton.start();
});
afterEach(async () => {
  await baton.cleanUp();
  for (const path of projects.splice(0)) rmSync(path, { recursive: true, force: true });
});

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
    stdio: 'pipe',
  }).trim();

function repository(behaviour: object = {}): string {
  const path = baton.project(behaviour);
  projects.push(path);
  git(path, 'init', '-q', '-b', 'main');
  git(path, 'add', '-A');
  git(path, 'commit', '-qm', 'first');
  return path;
}

async function projectId(path = project): Promise<number> {
  return (await baton.call<Project>('POST', '/api/projects', { path })).body.id;
}
async function persona(name: string): Promise<string> {
  return (await baton.call<Persona>('POST', '/api/personas/register', { role: 'developer', name })).body.slug;
}
async function begin(worktree: string, slug?: string): Promise<Agent> {
  const wanted = { project_id: await projectId(), worktree, ...(slug === undefined ? {} : { persona: slug }) };
  const { status, body } = await baton.call<Agent>('POST', '/api/agents', wanted);
  expect(status).toBe(201);
  return baton.ready(body.id, slug !== undefined);
}
const say = (id: number, text: string) => baton.call('POST', `/api/agents/${id}/messages`, { text });
const all = async () => (await baton.get<{ worktrees: Worktree[] }>('/api/worktrees')).worktrees;
const cli = (...args: string[]) =>
  run(process.execPath, [PROGRAM, ...args], { ...process.env, BATON_HOME: baton.home, BATON_AGENT_TOKEN: '' });
const startedIn = (id: number) => baton.evidence(id).find(({ type }) => type === 'start')?.cwd;

describe('two agents on one project', () => {
  it('two agents on one project have separate folders and branches', async () => {
    const one = await begin('', await persona('Con'));
    const two = await begin('other', await persona('Ada'));
    expect([one.worktree?.branch, two.worktree?.branch]).toEqual(['baton/developer-con-1', 'baton/other']);
    expect([startedIn(one.id), startedIn(two.id)]).toEqual([one.folder, two.folder]);
    await say(one.id, '[[practice:bash echo one > note.txt]]');
    await expect.poll(() => existsSync(join(one.folder, 'note.txt'))).toBe(true);
    expect([existsSync(join(two.folder, 'note.txt')), existsSync(join(project, 'note.txt'))]).toEqual([false, false]);

    const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${one.id}/handoff`, {});
    const over = await baton.over(body.run_id);
    expect(over).toMatchObject({ step: 'completed', acknowledged: true });
    expect(over.git).toMatchObject({ kind: 'repository', root: one.folder, branch: 'baton/developer-con-1' });
    const successor = await baton.get<Agent>(`/api/agents/${over.successor_agent_id}`);
    expect(successor).toMatchObject({ folder: one.folder, worktree: one.worktree });
    expect(startedIn(successor.id)).toBe(one.folder);

    const [first, second] = await all();
    expect(first).toMatchObject({
      name: 'developer-con-1',
      state: 'ready',
      in_use: true,
      agents: [{ id: one.id, state: 'ended' }, { id: successor.id }],
      facts: { branch: 'baton/developer-con-1', problem: null },
    });
    expect(first?.facts.uncommitted?.untracked).toBeGreaterThan(0);
    expect(second?.agents.map(({ id }) => id)).toEqual([two.id]);
    expect(git(project, 'worktree', 'list').split('\n')).toHaveLength(3);
  });
});

describe('the removal of a worktree on request', () => {
  const remove = (id: number, body: object) =>
    baton.call<WorktreeRemoval & { code: string; error: string }>('POST', `/api/worktrees/${id}/remove`, body);

  it('a worktree is not removed while an agent works in the worktree', async () => {
    const agent = await begin('con');
    const { id = 0 } = agent.worktree ?? {};
    expect((await remove(id, {})).body).toMatchObject({ code: 'worktree_in_use' });
    writeFileSync(join(agent.folder, 'note.txt'), 'mine\n');
    await baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true });
    await expect.poll(async () => (await baton.get<Agent>(`/api/agents/${agent.id}`)).state).toBe('ended');
    // The operator stopped the agent, so the end of the agent must not open an inbox item.
    expect((await baton.get<{ items: unknown[] }>('/api/inbox')).items).toEqual([]);
    const dry = await cli('worktree', 'remove', 'con', '--dry-run');
    expect(dry.stdout).toContain('would be lost: 1 uncommitted change');
    expect((await remove(id, {})).body).toMatchObject({ code: 'worktree_has_work' });
    expect((await cli('worktree', 'remove', 'con', '--force', 'unmerged')).code).toBe(1);
    expect(existsSync(join(agent.folder, 'note.txt'))).toBe(true);
    git(agent.folder, 'add', '-A');
    git(agent.folder, 'commit', '-qm', 'work');
    expect((await remove(id, { branch: true })).body).toMatchObject({ code: 'worktree_has_work' });
    const removed = await cli('worktree', 'remove', 'con', '--yes', '--json');
    expect(JSON.parse(removed.stdout)).toMatchObject({ removed: true, worktree: { state: 'removed' } });
    expect(existsSync(agent.folder)).toBe(false);
    expect(git(project, 'log', '--format=%s', 'baton/con').split('\n')[0]).toBe('work');
    expect(await all()).toEqual([]);
    expect((await remove(id, {})).status).toBe(404);
    const again = await baton.call<{ code: string }>('POST', `/api/agents/${agent.id}/resume`, {});
    expect(again.body.code).toMatch(/conversation_gone|worktree_gone/);
  });
});

it('a worktree is not removed while the operator has a shell in the worktree', async () => {
  const own = new OperatorTmux(baton);
  try {
    await own.installHooks();
    const agent = await begin('con');
    await baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true });
    await expect.poll(async () => (await baton.get<Agent>(`/api/agents/${agent.id}`)).state).toBe('ended');
    const pane = await own.shell();
    const shellPid = await own.tmux('display-message', '-p', '-t', pane, '#{pane_pid}');
    await own.type(pane, `cd '${agent.folder}' && echo the''re`);
    await expect.poll(() => own.screen(pane)).toContain('there');
    const refused = await cli('worktree', 'remove', 'con', '--yes');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`Process ${shellPid} (sh) still runs in`),
    ]);

    const { id } = await own.sessionIn(agent.folder, pane);
    await own.candidate(id);
    const { body: adopted } = await baton.call<Agent>('POST', `/api/candidates/${id}/adopt`, {});
    await baton.ready(adopted.id, false);
    const dry = await cli('worktree', 'remove', 'con', '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject({
      removed: false,
      refusal: expect.stringContaining(`Agent ${adopted.id} works in the worktree con`),
      worktree: { in_use: true, agents: [{ id: agent.id }, { id: adopted.id }] },
    });
    expect((await cli('worktree', 'remove', 'con', '--yes')).code).toBe(1);
    expect(existsSync(agent.folder)).toBe(true);

    await baton.call('POST', `/api/agents/${adopted.id}/stop`, { force: true });
    await expect.poll(async () => (await baton.get<Agent>(`/api/agents/${adopted.id}`)).state).toBe('ended');
    await own.tmux('kill-server');
    expect(await cli('worktree', 'remove', 'con', '--yes', '--force', 'uncommitted')).toMatchObject({ code: 0 });
    expect(existsSync(agent.folder)).toBe(false);
  } finally {
    await own.cleanUp();
  }
});

describe('refused worktrees', () => {
  it('a worktree name that is a path or an option is refused', async () => {
    for (const name of ['../up', '-rf', 'a b', 'A', 'x.lock', 'a/b', '$(id)', 'x'.repeat(51)]) {
      const wanted = { project_id: await projectId(), worktree: name };
      const { status, body } = await baton.call<{ error: string; code: string }>('POST', '/api/agents', wanted);
      expect([name, status, body.code]).toEqual([name, 400, 'bad_worktree_name']);
    }
    expect((await baton.get<{ agents: Agent[] }>('/api/agents')).agents).toEqual([]);
    expect(await all()).toEqual([]);
  });

  it('no worktree can be created outside a git repository', async () => {
    const plain = baton.project();
    projects.push(plain);
    const refused = await baton.call<{ error: string }>('POST', '/api/agents', {
      project_id: await projectId(plain),
      worktree: '',
    });
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('not in a git repository')]);
    await begin('con');
    const taken = await baton.call<{ code: string }>('POST', '/api/agents', {
      project_id: await projectId(),
      worktree: 'con',
    });
    expect(taken.body.code).toBe('worktree_exists');
  });
});

describe('a kill while Baton creates a worktree', () => {
  it.each(['worktree:planned', 'worktree:made', 'worktree:noted', 'launch_agent:performed'])(
    'if Baton is killed at %s while it starts an agent in a new worktree, the next Baton starts this agent exactly once',
    async (point) => {
      await baton.kill('SIGTERM');
      await baton.start({ BATON_CRASH_AT: `${point}#1` });
      const wanted = { project_id: await projectId(), worktree: 'con' };
      await baton.call('POST', '/api/agents', wanted).catch(() => undefined);
      expect(await baton.ended()).toBe('SIGKILL');
      await baton.start();
      const { agents } = await baton.get<{ agents: Agent[] }>('/api/agents');
      expect(agents).toHaveLength(1);
      const agent = await baton.ready(agents[0]?.id ?? 0, false);
      expect(baton.evidence(agent.id).filter(({ type }) => type === 'start')).toHaveLength(1);
      expect((await all()).map(({ name, state, exists }) => [name, state, exists])).toEqual([['con', 'ready', true]]);
      expect(git(project, 'worktree', 'list').split('\n')).toHaveLength(2);
      expect(git(agent.folder, 'status', '--porcelain')).toBe('');
      expect(readFileSync(join(agent.folder, 'PLAN.md'), 'utf8')).toContain('# Plan');
    },
  );
});

it('if Baton was killed during the removal of a worktree, a second request finishes the removal', async () => {
  const agent = await begin('con');
  await baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true });
  await expect.poll(async () => (await baton.get<Agent>(`/api/agents/${agent.id}`)).ended_at).not.toBeNull();
  await baton.kill('SIGTERM');
  await baton.start({ BATON_CRASH_AT: 'worktree:removing#1' });
  const [worktree] = await all();
  const remove = () =>
    baton.call<{ removed?: boolean }>('POST', `/api/worktrees/${worktree?.id}/remove`, { force: [] });
  await remove().catch(() => undefined);
  expect(await baton.ended()).toBe('SIGKILL');
  // Git deletes the folder file by file. After a kill, the folder may therefore still exist without the .git file that
  // connects it to the repository.
  rmSync(join(agent.folder, '.git'));
  await baton.start();
  expect((await remove()).body).toMatchObject({ removed: true });
  expect(existsSync(agent.folder)).toBe(false);
});

it('after a handoff is undone, the predecessor continues in the same worktree', async () => {
  project = repository({ successor: { injection: 'ignore' } });
  const agent = await begin('con', await persona('Con'));
  const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {});
  await baton.step(body.run_id, 'awaiting_acknowledgement');
  await baton.call('POST', `/api/runs/${body.run_id}/undo`, {});
  const over = await baton.over(body.run_id);
  const back = await baton.ready((over satisfies Run).brought_back_agent_id ?? 0, true);
  expect(back).toMatchObject({ folder: agent.folder, resumed_from: agent.id });
  expect(startedIn(back.id)).toBe(agent.folder);
});

it('a backup leaves out worktrees, and a restore does not change them', async () => {
  const { folder } = await begin('con');
  writeFileSync(join(folder, 'not-committed.txt'), 'work');
  writeFileSync(join(folder, `${'long'.repeat(40)}.txt`), 'a name that no backup takes');
  const file = join(project, '..', `backup-of-${baton.home.split('/').at(-1)}.tar.gz`);
  projects.push(file);
  const { stdout, stderr, code } = await cli('backup', file, '--json');
  expect([stderr, code]).toEqual(['', 0]);
  expect(JSON.parse(stdout).left_out).toContain('worktrees');
  await baton.kill('SIGTERM');
  expect((await cli('restore', file, '--yes')).code).toBe(0);
  expect(readFileSync(join(folder, 'not-committed.txt'), 'utf8')).toBe('work');
  expect(git(folder, 'status', '--porcelain').split('\n')).toHaveLength(2);
});
