import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeBaton } from './support/fake-baton.ts';
import { aHealth, anAgent, aRun } from './support/resources.ts';
import { runInHome } from './support/run-in-home.ts';

let baton: FakeBaton;
const run = (...argv: string[]) => runInHome(baton.home, argv);
const sent = () => baton.seen.map(({ method, url, body }) => [method, url, body]);

beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
});
afterEach(() => baton.remove());

describe('baton handoff', () => {
  it('even if a persona has the name "list", `baton handoff list` lists the handoffs', async () => {
    const persona = { slug: 'developer-list-1', name: 'list', role: 'developer' };
    baton.answer('GET /api/agents', { agents: [anAgent({ label: 'list', persona })] });
    baton.answer('GET /api/runs', { runs: [aRun()] });
    baton.answer('POST /api/agents/3/handoff', { status: 'initiated', run_id: 8 });
    expect(await run('handoff', 'list')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ID +AGENT/) });
    expect((await run('handoff', '3')).stdout).toContain('Handoff 8 has started.');
    expect(sent()).toEqual([
      ['GET', '/api/runs', undefined],
      ['POST', '/api/agents/3/handoff', {}],
    ]);
  });

  it('options after a subcommand of `baton handoff` are passed to that subcommand', async () => {
    baton.answer('GET /api/runs/7', aRun({ step: 'completed', over: true }));
    baton.answer('GET /api/health', aHealth);
    const watched = await run('handoff', 'show', '7', '--watch');
    expect(watched.stdout).toMatch(/^Handoff 7\n.*Completed/s);
    expect((await run('handoff', 'watch', '7')).stdout).toBe(watched.stdout);
  });

  it('if two actions have the same title, `baton handoff show` prints only one command for them', async () => {
    const title = 'Check again whether a successor can start, and continue';
    const actions = (['retry', 'resume'] as const).map((action) => ({ action, title, confirm: null }));
    baton.answer('GET /api/runs/7', aRun({ step: 'failed', over: true, actions }));
    const { stdout } = await run('handoff', 'show', '7');
    expect(stdout).toContain('baton handoff retry 7');
    expect(stdout).not.toContain('baton handoff resume 7');
  });

  it('after an undo, `baton handoff show` does not claim that the resumed agent still runs, because it may have ended', async () => {
    const title = 'Start another successor: the predecessor could not be resumed';
    const actions = [{ action: 'resume', title, confirm: null } as const];
    baton.answer('GET /api/runs/7', aRun({ step: 'cancelled', over: true, brought_back_agent_id: 9, actions }));
    const { stdout } = await run('handoff', 'show', '7');
    expect(stdout).toMatch(/undone +agent 9 was started to continue the predecessor's conversation\n/);
    expect(stdout).not.toContain('continues as');
  });

  it.each([
    [['--review', 'list'], "option '--review' is not for 'list'"],
    [['--note', 'x', 'cancel', '7'], "option '--note' is not for 'cancel'"],
    [['list', '--review'], "unknown option '--review'"],
    [['3', '--emergency', '--review'], "option '--emergency' cannot be used with option '--review'"],
    [['3', '--emergency', '--background', 'keep'], "'--emergency' cannot be used with option '--background <mode>'"],
  ])('`baton handoff` refuses %j', async (argv, says) => {
    const ran = await run('handoff', ...argv);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(says)]);
    expect(ran.stderr).toMatch(/\(see: baton handoff( list)? --help\)/);
    expect(baton.seen).toEqual([]);
  });

  it("[U3] `baton handoff` finds an agent by its persona's name or slug", async () => {
    for (const part of ['Con', 'developer-con-1', 'zoe-b']) baton.answer(`GET /api/agents/${part}`, anAgent());
    baton.answer('POST /api/agents/3/handoff', { status: 'initiated', run_id: 8 });
    for (const name of ['Con', 'developer-con-1', 'Zoë B'])
      expect((await run('handoff', name)).stdout).toContain('Handoff 8 has started.');
    const several = 'Several live agents are named Con: agent 2 in tally, agent 5 in shop';
    baton.answer('GET /api/agents/Con', { error: several, code: 'name_ambiguous' }, 409);
    expect(await run('handoff', 'Con')).toMatchObject({ code: 1, stderr: expect.stringContaining(several) });
  });

  it('[U3] `baton handoff` with an unknown word says that no live agent has this name', async () => {
    baton.answer('GET /api/agents/lst', { error: 'No live agent is named "lst"', code: 'agent_not_found' }, 404);
    const { code, stderr } = await run('handoff', 'lst');
    expect([code, stderr]).toEqual([2, expect.stringContaining("unknown command 'lst'\n(Did you mean list?)")]);
    expect(stderr).toContain('No live agent is named lst.');
  });

  it('`baton handoff` accepts the name of a subcommand as the value of an option', async () => {
    baton.answer('POST /api/agents/3/handoff', { status: 'initiated', run_id: 7 });
    await run('handoff', '--note', 'list', '3');
    expect(sent()).toEqual([['POST', '/api/agents/3/handoff', { note: 'list' }]]);
  });
});

describe('the old command names of Baton 0.1.0', () => {
  const record = {
    id: 1,
    agent_id: 3,
    reason: 'shift_end',
    file_path: null,
    injection_prompt: 'Read it',
    created_at: '2026-11-15T08:00:00.000Z',
    run: aRun(),
    document_text: null,
  };

  it.each([
    ['run list', 'handoff list'],
    ['runs', 'handoff list'],
    ['run show 7', 'handoff show 7'],
    ['run show 9', 'handoff show 9'],
    ['run show x', 'handoff show x'],
    ['run texts 7', 'handoff texts 7'],
    ['run force-exit 7 --yes', 'handoff force-exit 7 --yes'],
    ['run send-back 7 short', 'handoff send-back 7 short'],
    ['record show 1', 'handoff show-record 1'],
    ['record resume 1 --yes', 'handoff resume-record 1 --yes'],
    ['succeed 3 --note x', 'handoff 3 --emergency --note x'],
  ])('the old command `baton %s` does the same as `baton %s`', async (old, current) => {
    baton.answer('GET /api/runs', { runs: [aRun()] });
    baton.answer('GET /api/runs/7', aRun());
    baton.answer('GET /api/runs/7/texts', { texts: [] });
    baton.answer('POST /api/runs/7/force_exit', aRun());
    baton.answer('POST /api/runs/7/send_back', { error: 'It is over', code: 'run_over' }, 409);
    baton.answer('GET /api/handoffs/1', record);
    baton.answer('POST /api/handoffs/1/resume', aRun());
    baton.answer('POST /api/agents/3/succeed', { status: 'initiated', run_id: 7 });
    const [before, now] = [await run(...old.split(' '), '--json'), await run(...current.split(' '), '--json')];
    expect(before).toEqual(now);
    expect(JSON.parse(before.stdout)).toBeTypeOf('object');
    const requests = sent();
    expect(requests.slice(0, requests.length / 2)).toEqual(requests.slice(requests.length / 2));
  });

  it('the help leaves out the old commands', async () => {
    const help = (await run('--help')).stdout;
    for (const name of ['run', 'runs', 'record', 'succeed']) expect(help).not.toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    expect(help).toMatch(/^ {2}handoff +hand off an agent/m);
    for (const shell of ['bash', 'zsh', 'fish']) {
      const script = (await run('completion', shell)).stdout;
      expect(script).toContain('handoff show-record');
      expect(script).not.toMatch(/'(run|runs|record|succeed)(:|'| (list|show|resume)')| (runs|succeed) (inbox|events)/);
    }
    expect((await run('recor')).stderr).not.toContain('record');
  });
});
