import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InboxItem } from '../../../../src/contract/resources.ts';
import { FakeBaton } from '../support/fake-baton.ts';
import { aHealth, anAgent, aRun } from '../support/resources.ts';
import { runInHome } from '../support/run-in-home.ts';

let baton: FakeBaton;
const run = (...argv: string[]) => runInHome(baton.home, argv);
beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
});
afterEach(() => baton.remove());

const secondsAgo = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();

const item = (id: number, kind: InboxItem['kind'], changes: Partial<InboxItem> = {}): InboxItem => ({
  id,
  kind,
  agent_id: null,
  run_id: null,
  sentence: `Sentence ${id}.`,
  hint: `Hint ${id}.`,
  opened_at: secondsAgo(125),
  resolved_at: null,
  resolution: null,
  notified_at: null,
  notified: {},
  ...changes,
});

describe('baton status', () => {
  beforeEach(() => {
    baton.answer('GET /api/health', { ...aHealth, address: 'http://127.0.0.1:7421/' });
    baton.answer('GET /api/agents', {
      agents: [anAgent(), anAgent({ id: 4, label: 'Zoe' }), anAgent({ id: 5, state: 'awaiting_input' })],
    });
    baton.answer('GET /api/runs', { runs: [aRun({ agent_id: 4, created_at: secondsAgo(62), waits: 'It waits.' })] });
    baton.answer('GET /api/inbox', { items: [item(1, 'notice'), item(2, 'question'), item(3, 'failure')] });
  });

  it('[U8] `baton status` shows the most severe inbox item first', async () => {
    const { code, stdout } = await run('status');
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(0, 12)).toEqual([
      '✓ Baton 1.2.3 at http://127.0.0.1:7421/',
      '  3 agents: 2 idle, 1 awaiting input',
      '',
      'Needs you',
      '  3  failure  Sentence 3. (2 min ago)',
      '     Hint 3.',
      '  2  question  Sentence 2. (2 min ago)',
      '     Hint 2.',
      '  1  notice  Sentence 1. (2 min ago)',
      '     Hint 1.',
      '',
      'Handoffs in progress',
    ]);
    expect(stdout.split('\n')[12]).toMatch(
      /^ {2}7 {2}Zoe \(agent 4\) {2}Requesting the document from the agent {2}started 1 min ago {2}It waits\.$/,
    );
    expect(baton.seen.map(({ url }) => url)).toContain('/api/runs?state=in_flight');
  });

  it('[U8] `baton status` shows no UUID', async () => {
    const id = '3f0c2f6e-5a57-4a3c-9d52-1f0f3a9b7c11';
    baton.answer('GET /api/health', { ...aHealth, host_id: id });
    const { stdout } = await run('status');
    expect(stdout).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|host|events/);
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({
      host_id: id,
      last_seq: 5,
      agents: { idle: 2, awaiting_input: 1 },
      inbox: [{ id: 3 }, { id: 2 }, { id: 1 }],
      handoffs: [{ id: 7, agent_id: 4 }],
    });
  });

  it('[U8] if no agent is running, `baton status` says so and how to start one', async () => {
    baton.answer('GET /api/health', { ...aHealth, status: 'trouble', trouble: ['The disk is full.'] });
    baton.answer('GET /api/agents', { agents: [] }).answer('GET /api/runs', { runs: [] });
    baton.answer('GET /api/inbox', { items: [] });
    expect((await run('status')).stdout).toBe(
      '✗ Baton 1.2.3\n  The disk is full.\n  No agent is running. Start one: baton agent start\n  Nothing needs you.\n',
    );
  });

  it('[U8] `baton status` shows five inbox items and counts the others', async () => {
    baton.answer('GET /api/inbox', { items: Array.from({ length: 7 }, (_, index) => item(index + 1, 'question')) });
    const { stdout } = await run('status');
    expect(stdout).toContain('  2 more: baton inbox list\n');
    expect(stdout).not.toContain('Sentence 6.');
  });
});

it('[U8] `baton inbox list` shows the most severe item first', async () => {
  const items = [item(1, 'notice'), item(2, 'decision'), item(3, 'question'), item(4, 'failure'), item(5, 'question')];
  baton.answer('GET /api/inbox', { items });
  const { stdout } = await run('inbox', 'list');
  expect([...stdout.matchAll(/^(\d) {2}\w/gm)].map(([, id]) => Number(id))).toEqual([4, 3, 5, 2, 1]);
  expect(stdout).toContain('    2 min ago\n');
});

describe('baton ps', () => {
  const rowsOf = (stdout: string): string[] => stdout.trimEnd().split('\n').slice(1);

  it('[U8] the agents that need the operator are at the top of `baton ps`', async () => {
    baton.answer('GET /api/agents', {
      agents: [
        anAgent({ id: 3, last_seen_at: secondsAgo(125) }),
        anAgent({ id: 4, state: 'awaiting_input' }),
        anAgent({ id: 5, handoff_offer: { offered: true, why_not: null } }),
        anAgent({ id: 6 }),
      ],
    });
    baton.answer('GET /api/inbox', {
      items: [item(1, 'notice', { agent_id: 6 }), item(2, 'failure', { agent_id: 6 })],
    });
    const { code, stdout } = await run('ps');
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toMatch(/^ID +LABEL +PROJECT +STATE +CONTEXT +ACTIVE +NEEDS$/);
    const [answer, handOff, failed, calm] = rowsOf(stdout);
    expect(answer).toMatch(/^4 .*Answer: baton agent answer 4$/);
    expect(handOff).toMatch(/^5 .*Hand off: baton handoff 5$/);
    expect(failed).toMatch(/^6 .*Sentence 2\.$/);
    expect(calm).toMatch(/^3 +Con +tally +idle +62 % +2 min ago *$/);
  });

  it("[U8] `baton ps` gets the needs of an agent from the field `needs` in the server's answer", async () => {
    const needs = { severity: 'failed', sentence: 'Its handoff failed.', since: secondsAgo(60), item_id: 1 };
    baton.answer('GET /api/agents', {
      agents: [
        { ...anAgent(), needs: null },
        { ...anAgent({ id: 4 }), needs },
      ],
    });
    const [first, second] = rowsOf((await run('agent', 'list')).stdout).toReversed();
    expect(first).toMatch(/^4 .*Its handoff failed\.$/);
    expect(second).not.toContain('failed');
    expect(baton.seen.map(({ url }) => url)).not.toContain('/api/inbox');
  });

  it.each([
    ['Con (agent 3) asks for a handoff: done', 'question: asks for a handoff: done'],
    [
      'The handoff document of Con (agent 3) waits for your approval: /d.md.',
      'question: The handoff document of Con (agent 3) waits for your approval: /d.md.',
    ],
  ])(
    "`baton ps` and `baton agent list` remove the agent's name only from the beginning of a sentence: %s",
    async (sentence, shown) => {
      const needs = { severity: 'question', sentence, since: secondsAgo(60), item_id: 1 };
      baton.answer('GET /api/agents', { agents: [{ ...anAgent(), needs }] });
      for (const command of [['ps'], ['agent', 'list']])
        expect((await run(...command)).stdout.trimEnd().endsWith(`  ${shown}`)).toBe(true);
    },
  );

  it('[U6] `baton ls` does the same as `baton ps`', async () => {
    baton.answer('GET /api/agents', { agents: [anAgent()] }).answer('GET /api/agents/3', anAgent());
    expect(await run('ls')).toEqual(await run('ps'));
    const shop = (path: string) => ({ project: { id: 1, name: 'shop', path } });
    baton.answer('GET /api/agents', {
      agents: [anAgent(shop('/home/me/shop')), anAgent({ id: 5, ...shop('/home/me/work/shop') })],
    });
    for (const command of [['ps'], ['agent', 'list']])
      expect((await run(...command)).stdout).toMatch(/ me\/shop [\s\S]* work\/shop /);
    expect((await run('attach', '3', '--json')).stdout).toBe((await run('agent', 'attach', '3', '--json')).stdout);
    expect((await run('version')).stdout).toBe('1.2.3\n');
    expect(JSON.parse((await run('version', '--json')).stdout)).toEqual({ version: '1.2.3' });
    for (const option of ['-v', '-V', '--version'])
      expect(await run(option)).toEqual({ code: 0, stdout: '1.2.3\n', stderr: '' });
  });

  it('[U8] `baton ps` truncates its lines to the width of the terminal', async () => {
    const sentence = 'word '.repeat(40).trim();
    baton.answer('GET /api/agents', { agents: [anAgent()] });
    baton.answer('GET /api/inbox', { items: [item(1, 'failure', { agent_id: 3, sentence })] });
    const env = { NO_COLOR: '1' };
    const wide = await runInHome(baton.home, ['ps'], { tty: true, columns: 70, env });
    expect(wide.stdout.split('\n').map((line) => line.length)).toEqual([expect.any(Number), 70, 0]);
    expect(wide.stdout).toContain('…\n');
    expect((await run('ps')).stdout).toContain(sentence);
  });
});
