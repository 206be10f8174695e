import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../prove/memory-store/memory-store.ts';
import type { HubClock } from '../../../src/app/fleet/hub-clock.ts';
import type { FleetContext } from '../../../src/app/fleet/membership.ts';
import { createCommandSender } from '../../../src/app/fleet/send-command.ts';
import { createCommandTaker } from '../../../src/app/fleet/take-commands.ts';
import type { FleetLink, Sealed } from '../../../src/app/ports/fleet/fleet-link.ts';
import type { Instant } from '../../../src/domain/instant.ts';

const NOON = '2026-11-18T12:00:00.000Z' as Instant;
const ID = '00000000-0000-4000-8000-000000000001';
const ROUTE = '/api/agents/1/stop';

/**
 * Creates a machine in a fleet of three machines: ann, bob and laptop. The fake signature of a text is the name of the
 * signer's key.
 */
async function machineOfFleet(machine: string) {
  const store = createMemoryStore(machine, () => NOON);
  const members = ['ann', 'bob', 'laptop'].map((name) => ({
    name,
    key: `K-${name}`,
    role: 'operator',
    joinedAt: NOON,
  }));
  await store.write((tx) =>
    tx.saveFleetNote('roster', JSON.stringify({ text: JSON.stringify({ version: 1, members }), signature: '' })),
  );
  const lines: string[] = [];
  const note = (line: string): void => void lines.push(line);
  const context = {
    ports: {
      store,
      clock: { now: () => NOON, monotonicMs: () => 0, after: () => () => undefined },
      chance: { uuid: () => ID },
      secrets: { redact: (text: string) => text },
      log: { info: note, warn: note, error: note },
    },
    keys: { publicKey: `K-${machine}`, sign: (_: string, text: string) => ({ text, signature: `K-${machine}` }) },
    transport: { verify: (key: string, _: string, { signature }: Sealed) => signature === key },
    membership: { machine, hub: { host: '127.0.0.1', port: 1, certificate: null } },
    takesCommands: () => true,
  } as unknown as FleetContext;
  const clock = {
    ask: () => Promise.resolve({ now: NOON, rosterVersion: 1 }),
    offsetMs: () => 0,
  } as unknown as HubClock;
  return { store, context, clock, lines };
}

describe('a command id that two machines use', () => {
  it('[T26] if two machines send commands with the same id, each machine accepts only the answer to its own command', async () => {
    const { store, context, clock } = await machineOfFleet('ann');
    const stored = new Set<() => void>();
    const follower = {
      heardAt: () => NOON,
      isWhole: () => true,
      onStored: (listener: () => void) => {
        stored.add(listener);
        return () => void stored.delete(listener);
      },
    } as unknown as Parameters<typeof createCommandSender>[2]['follower'];
    /** Stores the answer that the machine `laptop` gives to a command that the machine `from` sent. */
    const answer = (from: string) => async (): Promise<void> => {
      const body = JSON.stringify({ from, route: ROUTE, status: 200, body: { id: 1 } });
      await store.write((tx) => tx.saveFleetObject({ machine: 'laptop', kind: 'command', id: ID, position: 1, body }));
      for (const listener of stored) listener();
    };
    const send = (from: string) => {
      const link = { isConnected: () => true, sendCommand: answer(from) } as unknown as FleetLink;
      const request = { method: 'POST', route: ROUTE, query: '', body: null, operator: 'cli' } as const;
      return createCommandSender(context, link, { clock, follower })('laptop', request);
    };
    expect(await send('bob')).toEqual({
      code: 'key_reused',
      sentence: 'laptop did not perform the command: it already has a command with the same id from bob',
      hint: 'Give the command again. It gets a new id.',
    });
    expect(await send('ann')).toMatchObject({ status: 200, body: { id: 1 } });
  });

  it('[T26] if two commands have the same id, a machine performs only the first and logs which machine reused the id', async () => {
    const { store, context, clock, lines } = await machineOfFleet('laptop');
    const performed: string[] = [];
    const taker = createCommandTaker(context, {
      clock,
      calls: {
        refuse: () => undefined,
        actsFirst: () => true,
        perform: ({ from, route }) => {
          performed.push(`${from} ${route}`);
          return Promise.resolve({ status: 200, body: {} });
        },
      },
      onAnswered: () => undefined,
    });
    const command = (from: string, route = ROUTE): Sealed => {
      const life = { issued_at: NOON, expires_at: '2026-11-18T12:02:00.000Z' };
      const said = { id: ID, machine: 'laptop', from, method: 'POST', route, query: '', body: null, operator: 'cli' };
      return { text: JSON.stringify({ ...said, ...life }), signature: `K-${from}` };
    };
    // Store a command of the machine ann without an answer, as if `laptop` had been killed while it performed the
    // command.
    await store.write((tx) => tx.beginFleetCommand({ id: ID, from: 'ann', route: ROUTE, begunAt: NOON }));
    await taker.take(command('bob'));
    await taker.take(command('ann', '/api/agents/2/stop'));
    expect(store.read((tx) => tx.fleetCommand(ID)?.answer)).toBeNull();
    expect(lines).toEqual([
      `refused a command of bob for ${ROUTE}: it has the id of a command of ann for ${ROUTE}`,
      `refused a command of ann for /api/agents/2/stop: it has the id of a command of ann for ${ROUTE}`,
    ]);
    // Let the same command of the machine ann arrive a second time. The answer must say that the command was
    // interrupted.
    await taker.take(command('ann'));
    expect(store.read((tx) => tx.fleetCommand(ID)?.answer)).toContain('command_interrupted');
    expect(performed).toEqual([]);
  });
});
