import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SseParser } from '../../../src/contract/sse-parser.ts';
import { createApiClient } from '../../../src/surfaces/cli/client/api-client.ts';
import { runCli } from '../../../src/surfaces/cli/run-cli.ts';
import { FakeBaton, frame } from './support/fake-baton.ts';
import { aHealth, anEvent, aRun } from './support/resources.ts';
import { runInHome } from './support/run-in-home.ts';

let baton: FakeBaton;
beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
});
afterEach(() => baton.remove());

describe('the parser of server-sent events', () => {
  const text = ': open\n\nid: 4\nevent: a\ndata: {"x":\ndata: 1}\n\n: still here\n\nid: 5\r\ndata:two\r\n\r\n';
  const frames = [
    { id: '4', event: 'a', data: '{"x":\n1}' },
    { id: '5', event: 'message', data: 'two' },
  ];

  it('the parser of server-sent events gives the same events however the text is split into pieces', () => {
    for (let size = 1; size <= text.length; size += 1) {
      const parser = new SseParser();
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect(
        pieces.flatMap((piece) => parser.feed(piece)),
        `pieces of ${size}`,
      ).toEqual(frames);
    }
  });
});

describe('listing events', () => {
  const asked = () => baton.seen.map(({ url }) => url);

  it('`baton events` sends its filters to the server', async () => {
    const pages = [Array.from({ length: 1000 }, (_, index) => anEvent(2000 - index)), [anEvent(900)]];
    baton.on('GET /api/events', (_seen, answer) =>
      answer.end(JSON.stringify({ events: pages.shift() ?? [], last_seq: 2000 })),
    );
    const argv = ['events', '--agent', '3', '--run', '7', '--type', 'a,b', '--order', 'desc', '--limit', '1001'];
    expect((await runInHome(baton.home, [...argv, '--json'])).stdout.trimEnd().split('\n')).toHaveLength(1001);
    const queries = asked().map((url) => Object.fromEntries(new URLSearchParams(url.split('?')[1])));
    const same = { after: '0', agent: '3', run: '7', type: 'a,b', order: 'desc' };
    expect(queries).toEqual([
      { ...same, limit: '1000' },
      { ...same, limit: '1', before: '1001' },
    ]);
  });

  it('`baton events --follow` refuses --limit, --before and --order', async () => {
    for (const argv of [
      ['--limit', '1'],
      ['--before', '9'],
      ['--order', 'desc'],
    ])
      expect((await runInHome(baton.home, ['events', '--follow', ...argv])).code).toBe(2);
    expect((await runInHome(baton.home, ['events', '--order', 'up'])).code).toBe(2);
    expect(asked()).toEqual([]);
  });
});

describe('following events', () => {
  const follow = (after: number) =>
    createApiClient({ homePath: baton.home, version: '1', token: () => 'token' }).follow({ after });

  async function take(count: number, after: number): Promise<number[]> {
    const seqs: number[] = [];
    for await (const { seq } of follow(after)) if (seqs.push(seq) === count) break;
    return seqs;
  }

  it('if the connection drops, `baton events --follow` still shows every event once', async () => {
    const answers = [
      [anEvent(11), anEvent(12)],
      [anEvent(12), anEvent(13)],
    ];
    baton.on('GET /api/events', (_seen, answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write(`: open\n\n${(answers.shift() ?? []).map(frame).join('')}`);
      setTimeout(() => answer.destroy(), 20);
    });
    expect(await take(3, 10)).toEqual([11, 12, 13]);
    const ids = baton.seen.map(({ headers, url }) => [headers['last-event-id'], headers.accept, url]);
    expect(ids.slice(0, 2)).toEqual([
      ['10', 'text/event-stream', '/api/events?after=10'],
      ['12', 'text/event-stream', '/api/events?after=12'],
    ]);
  });

  it('if the server restarts, `baton events --follow` waits for the new server', async () => {
    let next = 11;
    baton.on('GET /api/events', (_seen, answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write(frame(anEvent(next)));
      next += 1;
    });
    const events = follow(10);
    expect((await events.next()).value.seq).toBe(11);
    const second = events.next();
    await baton.die();
    await new Promise((resolve) => setTimeout(resolve, 200));
    await baton.listen();
    expect((await second).value.seq).toBe(12);
    await baton.die();
  });

  it('if no server runs, `baton events --follow` fails at once', async () => {
    await baton.die();
    await expect(take(1, 0)).rejects.toThrow('Baton is not running');
  });

  it('if the server refuses the request, `baton events --follow` stops', async () => {
    baton.answer('GET /api/events', { error: 'This needs a valid token', code: 'unauthorized' }, 401);
    await expect(take(1, 0)).rejects.toThrow('This needs a valid token');
  });
});

describe('baton events', () => {
  it('`baton events` fetches all pages of the event list and prints one line for each event', async () => {
    const all = Array.from({ length: 1001 }, (_, index) =>
      anEvent(index + 1, { sentence: 'Handoff 7 is at step verifying', by: 'operator/cli' }),
    );
    baton.on('GET /api/events', ({ url }, answer) => {
      const after = Number(new URL(url, 'http://x').searchParams.get('after'));
      answer.end(JSON.stringify({ events: all.slice(after, after + 1000), last_seq: 1001 }));
    });
    const plain = (await runInHome(baton.home, ['events'])).stdout.trimEnd().split('\n');
    expect(plain).toHaveLength(1001);
    expect(plain[0]).toMatch(/^ +1 Nov \d\d \d\d:00:00 {2}Handoff 7 is at step verifying, by the operator \(CLI\)$/);
    const json = (await runInHome(baton.home, ['events', '--after', '1000', '--json'])).stdout;
    expect(JSON.parse(json).seq).toBe(1001);
  });
});

it('if the reader closes the pipe, as in `baton events --follow | head`, baton events exits without an error', async () => {
  let seq = 0;
  baton.on('GET /api/events', (_seen, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => answer.write(frame(anEvent(++seq))), 5);
    answer.on('close', () => clearInterval(timer));
  });
  let broken: (error: Error) => void = () => undefined;
  const stdout = {
    on: (_event: 'error', listener: (error: Error) => void) => {
      broken = listener;
    },
    write: () => seq > 2 && broken(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  };
  const deps = {
    homePath: baton.home,
    version: '1',
    self: [],
    env: {},
    startServer: async () => 0,
    serveTools: async () => 0,
    excludeArchive: async () => ({ file: '', pattern: '', added: false }),
    shell: () => ({ agent: undefined, isInTmux: false, processes: [] }),
    hooks: async () => [],
    lint: () => Promise.reject(new Error('nothing is linted here')),
    readTeam: async () => [],
    checkWorkflow: () => Promise.reject(new Error('nothing is checked here')),
    readYaml: () => Promise.reject(new Error('nothing is read here')),
    keep: () => Promise.reject(new Error('nothing is kept here')),
  };
  expect(await runCli(['events', '--follow'], { ...deps, stdout, stderr: { write: () => true } })).toBe(0);
});

describe('watching a run', () => {
  const steps = (...names: string[]) =>
    names.map((step, at) => ({ step, entered_at: '', attempt: 1, ms: at === names.length - 1 ? null : 1200 }));

  function play(runs: readonly ReturnType<typeof aRun>[]): void {
    const left = [...runs];
    baton.answer('GET /api/health', aHealth).answer('POST /api/agents/3/handoff', { status: 'initiated', run_id: 7 });
    baton.on('GET /api/runs/7', (_seen, answer) => {
      answer.end(JSON.stringify(left.length > 1 ? left.shift() : left[0]));
    });
    baton.on('GET /api/events', ({ headers }, answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write(frame(anEvent(Number(headers['last-event-id']) + 1)));
      setTimeout(() => answer.destroy(), 20);
    });
  }

  it('watching a run prints each step until the run is over', async () => {
    const acknowledgement = { task: 'count words', at: '' };
    play([
      aRun({ steps: steps('requested', 'instructing') }),
      aRun({ steps: steps('requested', 'instructing', 'verifying'), warnings: ['The marker is missing.'] }),
      aRun({
        step: 'completed',
        over: true,
        acknowledgement,
        steps: steps('requested', 'instructing', 'verifying', 'completed'),
      }),
    ]);
    const { code, stdout } = await runInHome(baton.home, ['handoff', '3', '--watch']);
    expect(code).toBe(0);
    const lines = stdout.split('\n').map((line) => line.trim().replace(/ +/g, ' '));
    expect(lines.slice(0, 6)).toEqual([
      'Handoff 7',
      '✓ Document path ready 1.2 s',
      '✓ Document requested 1.2 s',
      '! The marker is missing.',
      '✓ Document verified 1.2 s',
      expect.stringMatching(/^✓ Completed/),
    ]);
    expect(stdout).toContain('count words');
  });

  it('on a terminal, watching a run shows the current step', async () => {
    play([aRun(), aRun({ step: 'completed', over: true })]);
    const { stderr } = await runInHome(baton.home, ['handoff', 'watch', '7'], { tty: true });
    expect(stderr).toContain('… Requesting the document from the agent');
    expect(stderr.endsWith('\r\u001b[2K')).toBe(true);
  });

  it('watching a run does not show a failed step as done, even if the run continued afterwards', async () => {
    const names = ['verifying', 'failed', 'recorded'];
    const steps = names.map((step) => ({ step, entered_at: '2026-11-15T08:00:00.000Z', attempt: 1, ms: 5 }));
    play([aRun({ step: 'completed', over: true, steps })]);
    const { stdout } = await runInHome(baton.home, ['handoff', 'watch', '7']);
    expect(stdout).toMatch(/✗ Verifying the document .*\n.*✗ Failed .*\n/);
    expect(stdout).not.toContain('Document verified');
  });

  it('without a terminal, watching a run prints each reason for waiting once', async () => {
    const waits = 'Con (agent 3) asks for permission. Answer it: baton agent answer 3 --choice N';
    const pausedSince = '2026-11-15T08:00:00.000Z';
    const paused = aRun({
      step: 'awaiting_document',
      waits,
      paused_since: pausedSince,
      steps: steps('awaiting_document'),
    });
    play([aRun(), paused, paused, aRun({ step: 'completed', over: true, steps: steps('completed') })]);
    const { stdout } = await runInHome(baton.home, ['handoff', 'watch', '7']);
    expect(stdout.split(waits)).toHaveLength(2);
  });

  it('without a terminal, watching a run that waits for approval prints the command that approves the document once', async () => {
    const recorded = aRun({ step: 'recorded', review: 'wanted', steps: steps('verifying', 'recorded') });
    play([aRun(), recorded, recorded, aRun({ step: 'completed', over: true, steps: steps('completed') })]);
    const { stdout } = await runInHome(baton.home, ['handoff', 'watch', '7']);
    expect(stdout.split('baton handoff approve 7')).toHaveLength(2);
    expect(stdout).toContain('baton handoff show 7 --document');
  });

  it('if the run failed, watching the run exits 1', async () => {
    const failure = {
      at: 'verifying',
      code: 'document_missing',
      sentence: 'There is no document.',
      hint: 'Try again.',
    };
    play([aRun(), aRun({ step: 'failed', over: true, failure })]);
    const { code, stdout } = await runInHome(baton.home, ['handoff', 'watch', '7']);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ Failed at "Verifying the document": There is no document.\n    Try again.\n');
  });

  it('watching a run with --json prints the finished run as JSON', async () => {
    play([aRun({ step: 'cancelled', over: true })]);
    const { code, stdout, stderr } = await runInHome(baton.home, ['handoff', 'watch', '7', '--json']);
    expect([code, JSON.parse(stdout).step]).toEqual([1, 'cancelled']);
    expect(stderr).toContain('✓ Document path ready');
  });
});
