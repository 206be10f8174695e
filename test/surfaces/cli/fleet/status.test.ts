import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FleetStatus } from '../../../../src/contract/fleet.ts';
import { FakeBaton } from '../support/fake-baton.ts';
import { runInHome } from '../support/run-in-home.ts';

const FLEET: FleetStatus = {
  joined: true,
  machine: 'laptop',
  role: 'operator',
  is_hub: false,
  address: '127.0.0.1:7422',
  connected: true,
  encrypted: false,
  takes_commands: true,
  forwarded: 40,
  log_end: 40,
  hub_clock_ms: 12,
  problem: null,
};
const PROBLEM = { code: 'hub_unreachable', sentence: 'The hub could not be told', hint: 'On the hub: do it there' };

let baton: FakeBaton;
const run = async (...argv: string[]): Promise<string> => (await runInHome(baton.home, argv)).stdout;
beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
});
afterEach(() => baton.remove());

describe('baton fleet', () => {
  it.each<[Partial<FleetStatus>, string]>([
    [{}, 'the hub has its whole log'],
    [{ forwarded: 37 }, 'the hub lacks 3 of its events'],
    [{ connected: false }, 'the hub had its whole log when it was last connected'],
    [{ connected: false, forwarded: 37 }, 'the hub does not have at least 3 of its events'],
  ])("`baton fleet status` says how much of the machine's log the hub has: %o", async (over, words) => {
    baton.answer('GET /api/machines', { fleet: { ...FLEET, ...over }, machines: [] });
    expect(await run('fleet', 'status')).toContain(`; ${words}\n`);
  });

  it('`baton fleet leave` says why the hub still lists the machine', async () => {
    baton.answer('GET /api/fleet', FLEET);
    baton.answer('POST /api/fleet/leave', { ...FLEET, joined: false, machine: null, problem: PROBLEM });
    expect(await run('fleet', 'leave', '--yes')).toBe(
      '✓ Left the fleet.\n  The hub could not be told\n  On the hub: do it there\n',
    );
  });
});
