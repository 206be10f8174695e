import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeBaton } from '../support/fake-baton.ts';
import { anAgent, aRun } from '../support/resources.ts';
import { runInHome } from '../support/run-in-home.ts';

let baton: FakeBaton;
const run = (...argv: string[]) => runInHome(baton.home, argv);
const typed = (answer: string, ...argv: string[]) => runInHome(baton.home, argv, { tty: true, stdin: `${answer}\n` });
const posts = () => baton.seen.filter(({ method }) => method === 'POST').map(({ url, body }) => ({ url, body }));

beforeEach(async () => {
  baton = new FakeBaton();
  for (const id of [2, 3]) {
    baton.answer(`POST /api/agents/${id}/stop`, anAgent({ id }));
    baton.answer(`POST /api/machines/laptop/agents/${id}/stop`, anAgent({ id }));
  }
  await baton.listen();
});
afterEach(() => baton.remove());

describe('a machine in front of an id', () => {
  it('`baton agent stop` with ids of two machines does nothing and asks for one command for each machine', async () => {
    for (const ids of [
      ['3', 'laptop/2'],
      ['laptop/2', '3'],
      ['laptop/2', 'tablet/3'],
    ]) {
      const { code, stderr } = await run('agent', 'stop', ...ids);
      expect([code, baton.seen]).toEqual([2, []]);
      expect(stderr).toContain(`(${ids.join(', ')}`);
      expect(stderr).toContain('so nothing was done.');
      expect(stderr).toContain('Use one command for each machine, such as: baton agent stop laptop/2');
    }
  });

  it('`baton agent stop` with several ids of one machine stops these agents on that machine', async () => {
    const both = ['/api/machines/laptop/agents/2/stop', '/api/machines/laptop/agents/3/stop'];
    const { code, stdout } = await run('agent', 'stop', 'laptop/2', 'LAPTOP/3');
    expect([code, posts().map(({ url }) => url)]).toEqual([0, both]);
    expect(stdout).toContain('Asked Con (agent 2 on laptop) to exit.');
    baton.seen.splice(0);
    expect((await run('agent', 'stop', '2', 'laptop/3', '--machine', 'laptop')).code).toBe(0);
    expect(posts().map(({ url }) => url)).toEqual(both);
  });

  it('a command does nothing if its id and its option --machine name different machines', async () => {
    const { code, stderr } = await run('agent', 'stop', 'laptop/2', '--machine', 'tablet');
    expect([code, baton.seen]).toEqual([2, []]);
    expect(stderr).toContain('several machines (--machine tablet, laptop/2), so nothing was done.');
  });

  it("a command for another machine accepts a persona's name instead of an agent's id", async () => {
    baton.answer('GET /api/machines/laptop/agents/Con', anAgent({ id: 3 }));
    for (const words of [['laptop/Con'], ['Con', '--machine', 'laptop']]) {
      const { code, stdout } = await run('agent', 'stop', ...words);
      expect([code, stdout]).toEqual([0, 'Asked Con (agent 3 on laptop) to exit.\n']);
    }
    expect(posts().map(({ url }) => url)).toEqual(Array(2).fill('/api/machines/laptop/agents/3/stop'));
  });

  it('a text, a path or an option value that looks like an id on another machine is used unchanged', async () => {
    baton.answer('POST /api/agents/2/messages', {
      ref: 'm1',
      verdict: 'accepted',
      reason: null,
      sentence: 'Agent 2 has it.',
    });
    const sent = await run('agent', 'send', '2', 'tablet/3');
    expect([sent.code, sent.stdout]).toEqual([0, '✓ Agent 2 has it.\n']);
    baton.answer('GET /api/runs/1', aRun());
    baton.answer('POST /api/runs/1/message', aRun());
    expect((await run('handoff', 'message', '1', 'tablet/2')).code).toBe(0);
    const started = await run('agent', 'start', '--project', 'work/1', '--no-wait');
    expect(started.stderr).toContain('Cannot open the project folder work/1');
    expect(started.stderr).not.toContain('machine');
    expect(baton.seen.filter(({ url }) => url.startsWith('/api/machines/'))).toEqual([]);
    expect(posts()).toMatchObject([
      { url: '/api/agents/2/messages', body: { text: 'tablet/3' } },
      { url: '/api/runs/1/message', body: { text: 'tablet/2' } },
    ]);
  });

  it("if a command in an agent's shell names another machine, the command fails and does nothing on this machine", async () => {
    const env = { BATON_HOME: baton.home, BATON_AGENT_TOKEN: 'agent-token', BATON_AGENT_ID: '3' };
    const shown = await runInHome(baton.home, ['package', 'show', 'laptop/HO-2026-001'], { env });
    expect([shown.code, baton.seen]).toEqual([1, []]);
    expect(shown.stderr).toContain('An agent can act only on its own machine and not on laptop');
    const stop = await runInHome(baton.home, ['agent', 'stop', 'laptop/3'], { env });
    expect([stop.code, baton.seen]).toEqual([1, []]);
    expect(stop.stderr).toContain('baton agent stop laptop/3');
  });
});

describe('the option --machine', () => {
  it.each([
    [['agent', 'stop', '3', '--machine', 'laptop']],
    [['agent', 'stop', '3', '--machine=laptop']],
    [['agent', '--machine', 'LAPTOP', 'stop', '3']],
    [['--machine=Laptop', 'agent', 'stop', '3']],
  ])('`baton %s` stops agent 3 on the machine laptop', async (argv) => {
    expect((await run(...argv)).code).toBe(0);
    expect(posts()).toEqual([{ url: '/api/machines/laptop/agents/3/stop', body: { force: false } }]);
  });

  it('`baton handoff` accepts the option --machine before the subcommand', async () => {
    baton.answer('GET /api/machines/laptop/runs', { runs: [], next: null });
    expect((await run('handoff', '--machine', 'laptop', 'list')).code).toBe(0);
    expect(baton.seen.map(({ url }) => url)).toEqual(['/api/machines/laptop/runs']);
  });

  it.each([
    [['agent', 'stop', '3', '--machine'], "option '--machine <name>' argument missing"],
    [['agent', 'stop', '3', '--machine', '--yes'], 'Use the name of a machine; see: baton fleet status'],
    [['agent', 'stop', '3', '--machine='], 'Use the name of a machine; see: baton fleet status'],
    [['agent', 'stop', '3', '--machine', 'two words'], 'Use the name of a machine; see: baton fleet status'],
  ])('if --machine is wrong, `baton %s` does nothing and explains the mistake', async (argv, sentence) => {
    const { code, stderr } = await run(...argv);
    expect([code, baton.seen]).toEqual([2, []]);
    expect(stderr).toContain(sentence);
  });
});

describe('questions and results of commands for another machine', () => {
  it('for an action on another machine, the confirmation question names the machine, and so does the output after the answer "no"', async () => {
    const { stderr } = await typed('n', 'agent', 'stop', 'laptop/3');
    expect(stderr).toContain('Stop agent 3 on laptop? ');
    expect(stderr).toContain('Agent 3 on laptop was not stopped.');
    const several = await typed('n', 'agent', 'stop', 'laptop/3', 'laptop/2');
    expect(several.stderr).toContain('Stop agents 3, 2 on laptop? ');
    const actions = [{ action: 'undo' as const, title: 'Undo the handoff', confirm: 'The successor is ended.' }];
    baton.answer('GET /api/machines/laptop/runs/7', aRun({ id: 7, actions }));
    const undo = await typed('n', 'handoff', 'undo', 'laptop/7');
    expect(undo.stderr).toContain('On laptop: Undo the handoff? The successor is ended. [y/N]');
    expect(undo.stderr).toContain('Handoff 7 on laptop was not changed.');
  });

  it('for an action on another machine, the output about the result names the machine', async () => {
    const at = '/api/machines/laptop';
    const said = { ref: 'm1', verdict: 'accepted', reason: null, sentence: 'Agent 3 has the message.' };
    baton.answer(`POST ${at}/agents/3/messages`, said);
    baton.answer(`POST ${at}/agents/3/interrupt`, anAgent({ id: 3 }));
    baton.answer(`POST ${at}/agents/3/handoff`, { status: 'initiated', run_id: 4 });
    baton.answer(`POST ${at}/inbox/5/dismiss`, {
      ...{ id: 5, kind: 'notice', sentence: 'x', hint: 'y', opened_at: '2026-11-18T12:00:00.000Z' },
      ...{
        agent_id: null,
        run_id: null,
        notified_at: null,
        notified: {},
        resolved_at: null,
        resolution: null,
        dismissed_at: null,
      },
    });
    const results = [
      ['agent send laptop/3 hello', '✓ Agent 3 on laptop has the message.'],
      ['agent interrupt laptop/3', '✓ Interrupted Con (agent 3 on laptop).'],
      ['handoff laptop/3', 'Handoff 4 on laptop has started.'],
      ['inbox dismiss laptop/5', 'Inbox item 5 on laptop is dismissed.'],
    ] as const;
    for (const [line, result] of results) {
      const { stdout, stderr } = await run(...line.split(' '));
      expect(`${stdout}${stderr}`).toContain(result);
    }
  });
});
