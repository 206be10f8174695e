import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeBaton } from '../support/fake-baton.ts';
import { anAgent, aRun } from '../support/resources.ts';
import { runInHome } from '../support/run-in-home.ts';

let baton: FakeBaton;
const script = (...argv: string[]) => runInHome(baton.home, argv);
const typed = (answer: string, ...argv: string[]) => runInHome(baton.home, argv, { tty: true, stdin: `${answer}\n` });
const posts = () => baton.seen.filter(({ method }) => method === 'POST').map(({ url }) => url);

beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
});
afterEach(() => baton.remove());

const offer = (action: string, confirm: string | null) => ({ action, title: `Do ${action}`, confirm });

describe('[D1] destructive commands', () => {
  beforeEach(() => {
    const actions = [
      offer('undo', 'The successor is ended.'),
      offer('force_exit', 'It is killed.'),
      offer('cancel', null),
    ];
    baton.answer('GET /api/runs/7', { ...aRun(), actions });
    for (const action of ['undo', 'force_exit', 'cancel']) baton.answer(`POST /api/runs/7/${action}`, aRun());
    for (const id of [2, 3]) baton.answer(`POST /api/agents/${id}/stop`, anAgent({ id }));
    baton.answer('GET /api/agents', { agents: [anAgent({ id: 2 }), anAgent({ id: 3 })] });
  });

  const DESTRUCTIVE = [
    ['handoff undo 7', '/api/runs/7/undo'],
    ['handoff force-exit 7', '/api/runs/7/force_exit'],
    ['handoff cancel 7', '/api/runs/7/cancel'],
    ['agent stop 3 --force', '/api/agents/3/stop'],
    ['agent stop --all', '/api/agents/2/stop'],
  ] as const;

  it.each(DESTRUCTIVE)('without a terminal, `baton %s` is refused, and the hint names --yes', async (line, path) => {
    const { code, stderr } = await script(...line.split(' '));
    expect([code, posts()]).toEqual([2, []]);
    expect(stderr).toMatch(/was not changed|not stopped/);
    expect(stderr).toContain('is not a terminal. Confirm with --yes.');
    expect((await script(...line.split(' '), '--yes')).code).toBe(0);
    expect(posts()).toContain(path);
  });

  it.each(DESTRUCTIVE)('on a terminal, `baton %s` asks for confirmation', async (line, path) => {
    const declined = await typed('', ...line.split(' '));
    expect([declined.code, posts()]).toEqual([1, []]);
    expect(declined.stderr).toContain('? ');
    expect((await typed('y', ...line.split(' '))).code).toBe(0);
    expect(posts()).toContain(path);
  });

  it('a destructive command is refused if stderr is redirected, because the operator would not see the question', async () => {
    const redirected = { tty: false, stdinTty: true, stdin: 'y\n' };
    const ran = await runInHome(baton.home, ['agent', 'stop', '3', '--force'], redirected);
    expect([ran.code, posts()]).toEqual([2, []]);
  });
});

describe('[D1] baton agent stop', () => {
  beforeEach(() => {
    for (const id of [2, 3]) baton.answer(`POST /api/agents/${id}/stop`, anAgent({ id, label: `A${id}` }));
    baton.answer('GET /api/agents/Con', anAgent({ id: 2 }));
  });

  it('`baton agent stop` asks for confirmation only on a terminal', async () => {
    expect((await typed('n', 'agent', 'stop', '3')).code).toBe(1);
    expect(posts()).toEqual([]);
    expect(await script('agent', 'stop', '3')).toMatchObject({ code: 0, stdout: 'Asked A3 (agent 3) to exit.\n' });
  });

  it('[U6] [U3] `baton agent stop` stops several agents by number and name', async () => {
    const refusal = { error: 'Agent is not active', code: 'agent_not_active' };
    baton.answer('POST /api/agents/3/stop', refusal, 400);
    const { code, stdout } = await script('agent', 'stop', 'Con', '3');
    expect([code, stdout]).toEqual([
      1,
      '✓ Asked A2 (agent 2) to exit.\n✗ Agent 3 was not stopped: Agent is not active\n',
    ]);
    const json = await script('agent', 'stop', '2', '3', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ agents: [{ id: 2 }], refused: [{ agent_id: 3, ...refusal }] });
  });

  it('`baton agent stop` with several agents prints the next step for each agent that was not stopped', async () => {
    const error = 'Agent 3 takes part in handoff 7 and cannot be stopped now';
    const hint = 'Wait for that handoff, or cancel it first: baton handoff cancel 7';
    baton.answer('POST /api/agents/3/stop', { error, code: 'agent_in_handoff', hint }, 409);
    const { stdout } = await script('agent', 'stop', '2', '3');
    expect(stdout).toContain(`✗ Agent 3 was not stopped: ${error}. ${hint}\n`);
  });

  it('[U6] `baton agent stop` needs either agents or --all', async () => {
    for (const argv of [[], ['3', '--all']])
      expect(await script('agent', 'stop', ...argv)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--all'),
      });
    expect(baton.seen).toEqual([]);
  });
});
