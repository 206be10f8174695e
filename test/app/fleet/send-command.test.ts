import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../prove/memory-store/memory-store.ts';
import type { HubClock } from '../../../src/app/fleet/hub-clock.ts';
import type { FleetContext } from '../../../src/app/fleet/membership.ts';
import { createCommandSender } from '../../../src/app/fleet/send-command.ts';
import type { FleetLink } from '../../../src/app/ports/fleet/fleet-link.ts';
import { after, type Instant } from '../../../src/domain/instant.ts';

const NOON = '2026-11-18T12:00:00.000Z' as Instant;
const STOP = { method: 'POST', route: '/api/agents/1/stop', query: '', body: null, operator: 'cli' } as const;
const SHOW = { ...STOP, method: 'GET', route: '/api/agents/1' } as const;

/** Creates a sender on the machine `hub`. The machine `laptop` does not answer. Its last report is `ageMs` old. */
async function senderWith(ageMs: number) {
  const store = createMemoryStore('hub', () => NOON);
  const members = ['hub', 'laptop'].map((name) => ({ name, key: `K-${name}`, role: 'operator', joinedAt: NOON }));
  await store.write((tx) =>
    tx.saveFleetNote('roster', JSON.stringify({ text: JSON.stringify({ version: 1, members }), signature: '' })),
  );
  const sent: string[] = [];
  const waits: number[] = [];
  const context = {
    ports: {
      store,
      clock: {
        now: () => NOON,
        // In this test, every wait ends at once.
        after: (ms: number, then: () => void) => {
          waits.push(ms);
          queueMicrotask(then);
          return () => undefined;
        },
      },
      chance: { uuid: () => 'u' },
      log: { info: () => undefined },
    },
    keys: { publicKey: 'K-hub', sign: (_: string, text: string) => ({ text, signature: 'K-hub' }) },
    transport: { verify: () => true },
    membership: { machine: 'hub', hub: { host: '127.0.0.1', port: 1, certificate: null } },
    heartbeatMs: 10_000,
  } as unknown as FleetContext;
  const link = {
    isConnected: () => true,
    sendCommand: async (machine: string) => void sent.push(machine),
    ask: async (machine: string) => {
      sent.push(machine);
      throw new Error('no answer');
    },
  } as unknown as FleetLink;
  const clock = { ask: async () => ({ now: NOON, rosterVersion: 1 }), offsetMs: () => 0 } as unknown as HubClock;
  const follower = {
    onStored: () => () => undefined,
    heardAt: () => after(NOON, -ageMs),
    isWhole: () => true,
  } as unknown as Parameters<typeof createCommandSender>[2]['follower'];
  return { sent, waits, send: createCommandSender(context, link, { clock, follower }) };
}

describe('a command to a machine that cannot answer', () => {
  it('a fleet command for this machine itself is refused at once and not sent', async () => {
    const { sent, waits, send } = await senderWith(0);
    for (const request of [STOP, SHOW])
      expect(await send('hub', request)).toEqual({
        code: 'bad_request',
        sentence: 'hub is this machine, and not another machine of the fleet',
        hint: 'To use this machine, repeat the command without the name of a machine.',
      });
    expect([sent, waits]).toEqual([[], []]);
  });

  it('for a machine that is away, Baton waits only 5 s for the answer to a command and says how long the machine has been away', async () => {
    const { sent, waits, send } = await senderWith(5 * 60_000);
    expect(await send('laptop', STOP)).toEqual({
      code: 'machine_no_answer',
      sentence:
        'laptop is away: it last reported 5 min ago and has not answered yet. It may still perform the command during the next 2 min; after that it refuses the command',
      hint: 'Look at the machine before you give the command again: baton agent list --machine laptop',
    });
    expect([sent, waits]).toEqual([['laptop'], [5_000]]);
    expect(await send('laptop', SHOW)).toEqual({
      code: 'machine_no_answer',
      sentence: 'laptop is away: it last reported 5 min ago, and only laptop itself can show the requested data',
      hint: 'Check that Baton runs on laptop, then try again. Its last known agents: baton agent list --machine laptop',
    });
  });

  it('for a machine that has just reported, Baton waits 25 s for the answer to a command', async () => {
    const { waits, send } = await senderWith(1_000);
    const stopped = await send('laptop', STOP);
    expect(stopped).toMatchObject({ sentence: expect.stringMatching(/^laptop has not answered yet\./) });
    expect(waits).toEqual([25_000]);
    const shown = await send('laptop', SHOW);
    expect(shown).toMatchObject({ sentence: 'laptop does not answer now, so Baton cannot show its data' });
  });
});
