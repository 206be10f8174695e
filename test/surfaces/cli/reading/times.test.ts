import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timeAgo } from '../../../../src/surfaces/cli/inbox/given-time.ts';
import { ago, stamp, when } from '../../../../src/surfaces/cli/output/when.ts';
import { FakeBaton } from '../support/fake-baton.ts';
import { anAgent, anEvent, aRun } from '../support/resources.ts';
import { runInHome } from '../support/run-in-home.ts';

let baton: FakeBaton;
const run = (...argv: string[]) => runInHome(baton.home, argv);
beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
});
afterEach(() => baton.remove());

describe('a time for people', () => {
  const now = new Date(2026, 10, 15, 18, 5, 3).getTime();
  const earlier = (ms: number): string => new Date(now - ms).toISOString();

  it.each([
    [0, 'now'],
    [59_000, '59 s ago'],
    [125_000, '2 min ago'],
    [3 * 3_600_000, '3 h ago'],
    [47 * 3_600_000, '47 h ago'],
    [49 * 3_600_000, '2 days ago'],
    [-125_000, 'in 2 min'],
  ])('[U13] a time of %i ms before now is shown as "%s"', (ms, text) => {
    expect(ago(earlier(ms), now)).toBe(text);
  });

  it('[U13] an absolute time is shown in local time', () => {
    expect(stamp(earlier(0))).toBe('Nov 15 18:05:03');
    expect(when(earlier(125_000), now)).toBe('2026-11-15 18:02:58 (2 min ago)');
  });

  it('[U13] a text that is not a time is shown unchanged', () => {
    expect([ago('soon', now), stamp(''), when('-', now)]).toEqual(['soon', '', '-']);
  });
});

it('[U13] tables of agents and handoffs show relative times', async () => {
  const at = new Date(Date.now() - 125_000).toISOString();
  baton.answer('GET /api/runs', { runs: [aRun({ created_at: at })] });
  baton.answer('GET /api/agents/3', anAgent({ started_at: at }));
  expect((await run('handoff', 'list')).stdout).toMatch(/2 min ago\n$/);
  expect((await run('agent', 'show', '3')).stdout).toContain(when(at));
  for (const argv of [
    ['handoff', 'list'],
    ['agent', 'show', '3'],
  ])
    expect((await run(...argv, '--json')).stdout).toContain(`"${at}"`);
});

describe('baton events', () => {
  it('[U9] `baton events` describes each event on one line that fits into the terminal', async () => {
    const events = [
      anEvent(1, { sentence: `Agent 3 uses Read: ${'x'.repeat(400)}` }),
      anEvent(2, { sentence: 'Short' }),
    ];
    baton.answer('GET /api/events', { events, last_seq: 2 });
    const env = { NO_COLOR: '1' };
    const lines = (await runInHome(baton.home, ['events'], { tty: true, columns: 80, env })).stdout.split('\n');
    expect(lines.map((line) => line.length)).toEqual([80, 29, 0]);
    expect(lines[0]).toMatch(/^ {5}1 Nov 1\d \d\d:00:00 {2}Agent 3 uses Read: x+…$/);
    expect(lines[1]).toMatch(/ {2}Short$/);
  });
});

describe('baton events --since', () => {
  const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  /**
   * The events 2, 4, 6 … 200. The last event is a minute old, and each earlier event is one minute older than the event
   * after it.
   */
  const all = Array.from({ length: 100 }, (_, index) => anEvent(2 * index + 2, { at: minutesAgo(100 - index) }));

  beforeEach(() => {
    for (const path of ['/api/events', '/api/machines/laptop/events'])
      baton.on(`GET ${path}`, ({ url }, answer) => {
        const query = new URL(url, 'http://x').searchParams;
        const after = Number(query.get('after'));
        const found = all.filter(({ seq }) => seq > after);
        const sorted = query.get('order') === 'desc' ? found.toReversed() : found;
        const page = sorted.slice(0, Number(query.get('limit') ?? 1000));
        answer.end(JSON.stringify({ events: page, last_seq: 200 }));
      });
  });

  const seqs = async (...argv: string[]): Promise<number[]> =>
    (await run('events', '--json', ...argv)).stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).seq);

  it('[U9] `baton events --since` prints only events after the given time', async () => {
    expect(await seqs('--since', '3m')).toEqual([198, 200]);
    expect(await seqs('--since', '2d')).toHaveLength(100);
    expect(await seqs('--since', '0m')).toEqual([]);
    expect(baton.seen.length).toBeLessThan(40);
  });

  it('with --machine, `baton events --since` reads the events of another machine', async () => {
    expect(await seqs('--since', '3m', '--machine', 'laptop')).toEqual([198, 200]);
    expect(baton.seen.filter(({ url }) => !url.startsWith('/api/machines/laptop/events?'))).toEqual([]);
  });

  it('[U9] if both --since and --after are given, `baton events` starts at the later of the two', async () => {
    expect(await seqs('--since', '3m', '--after', '198')).toEqual([200]);
    expect(await seqs('--since', '3m', '--after', '10')).toEqual([198, 200]);
  });

  it('[U9] `baton events --since` refuses an invalid time and sends no request', async () => {
    const { code, stderr } = await run('events', '--since', 'yesterday');
    expect([code, stderr]).toEqual([
      2,
      'Invalid time "yesterday". Use 30m, 2h, 7d, 18:00, 2026-11-15 or 2026-11-15T18:00.\n',
    ]);
    expect(baton.seen).toEqual([]);
  });

  it('[U9] `baton events --since` reads durations, times of day and dates in local time', () => {
    const now = new Date(2026, 10, 15, 17, 30);
    expect(timeAgo('90m', now)).toEqual(new Date(2026, 10, 15, 16, 0));
    expect(timeAgo('2h', now)).toEqual(new Date(2026, 10, 15, 15, 30));
    expect(timeAgo('17:30', now)).toEqual(now);
    expect(timeAgo('18:00', now)).toEqual(new Date(2026, 10, 14, 18, 0));
    expect(timeAgo('2026-11-14', now)).toEqual(new Date(2026, 10, 14));
    expect(timeAgo('2026-11-14T08:00', now)).toEqual(new Date(2026, 10, 14, 8));
    expect(['soon', '25:00', '2026-13-01', ''].map((text) => timeAgo(text, now))).toEqual(Array(4).fill(undefined));
  });
});

describe('baton agent screen', () => {
  const screen = (rows: readonly string[]) => ({
    agent_id: 3,
    at: '2026-11-15T08:00:00.000Z',
    columns: 180,
    rows: rows.length,
    lines: rows.map((text) => [{ text, style: '' }]),
    cursor: null,
  });

  it('[U7] `baton agent screen` leaves out blank lines at the end', async () => {
    baton.answer('GET /api/agents/3/screen', screen(['> go on', '', '─'.repeat(180), 'done   ', '', '   ', '']));
    const env = { NO_COLOR: '1' };
    const { stdout } = await runInHome(baton.home, ['agent', 'screen', '3'], { tty: true, columns: 80, env });
    expect(stdout).toBe(`> go on\n\n${'─'.repeat(79)}…\ndone\n`);
    expect((await run('agent', 'screen', '3')).stdout).toContain(`${'─'.repeat(180)}\n`);
  });

  it('[U7] for an empty screen, `baton agent screen` prints nothing', async () => {
    baton.answer('GET /api/agents/3/screen', screen(['', '  ']));
    expect(await run('agent', 'screen', '3')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
