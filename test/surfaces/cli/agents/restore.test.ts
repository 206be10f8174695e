import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Restore } from '../../../../src/contract/restore.ts';
import { FakeBaton } from '../support/fake-baton.ts';
import { runInHome } from '../support/run-in-home.ts';

let baton: FakeBaton;
const restore = (...argv: string[]) => runInHome(baton.home, ['agent', 'restore', ...argv]);
const lost = (id: number, over: Partial<Restore['agents'][number]> = {}): Restore['agents'][number] => ({
  agent_id: id,
  label: 'Con',
  project: 'shop',
  status: 'offered',
  resumed_as: null,
  detail: null,
  ...over,
});
const restoredBefore = lost(4, { status: 'back', resumed_as: 23, detail: 'its process has ended' });
const answer = (agents: Restore['agents'], over: boolean) =>
  baton.answer('POST /api/agents/restore', { agents, over } satisfies Restore);

beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
});
afterEach(() => baton.remove());

it('`baton agent restore --dry-run` does not list agents that an earlier request restored', async () => {
  answer([restoredBefore, lost(5)], true);
  const { stdout } = await restore('--dry-run');
  expect(stdout).toContain('agent 5  Con in shop');
  expect(stdout).not.toContain('agent 4');
});

it.each([[['--dry-run']], [[]]])(
  'if all lost agents were restored before, `baton agent restore` with the options %j says that there are no agents to restore',
  async (argv) => {
    answer([restoredBefore], true);
    const { code, stdout } = await restore(...argv);
    expect([code, stdout]).toEqual([0, expect.stringContaining('No agents to restore.')]);
    expect(stdout).not.toContain('agent 23');
  },
);

it('`baton agent restore` reports only the agents that this request restored', async () => {
  answer([restoredBefore, lost(5, { status: 'waiting' })], false);
  baton.answer('GET /api/agents/restore', {
    agents: [restoredBefore, lost(5, { status: 'back', resumed_as: 24, detail: 'its session started (resume)' })],
    over: true,
  } satisfies Restore);
  const { code, stdout } = await restore();
  expect([code, stdout]).toEqual([0, expect.stringContaining('Con (was agent 5) continues as agent 24')]);
  expect(stdout).not.toContain('agent 23');
});
