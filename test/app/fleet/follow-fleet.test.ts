import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../prove/memory-store/memory-store.ts';
import { createFollower } from '../../../src/app/fleet/follow-fleet.ts';
import type { FleetContext } from '../../../src/app/fleet/membership.ts';
import { digestText } from '../../../src/app/fleet/publish-state.ts';
import type { Sealed } from '../../../src/app/ports/fleet/fleet-link.ts';
import type { Instant } from '../../../src/domain/instant.ts';

const NOON = '2026-11-18T12:00:00.000Z' as Instant;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const NOTHING = { agent: [], run: [], item: [], package: [], command: [] };

/**
 * Creates the machine `viewer`, which receives the states of the machine `laptop`. The fake signature of a text is the
 * name of the signer's key.
 */
async function follow() {
  const store = createMemoryStore('viewer', () => NOON);
  const roster = { version: 1, members: [{ name: 'laptop', key: 'K-laptop', role: 'operator', joinedAt: NOON }] };
  await store.write((tx) =>
    tx.saveFleetNote('roster', JSON.stringify({ text: JSON.stringify(roster), signature: '' })),
  );
  const incomplete: string[] = [];
  const rosters: { readonly version: number; readonly hasMissed: boolean }[] = [];
  const context = {
    ports: {
      store,
      clock: { now: () => NOON, monotonicMs: () => 0, after: () => () => undefined },
      chance: { sha256 },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    },
    transport: { verify: (key: string, _: string, { signature }: Sealed) => signature === key },
    membership: { machine: 'viewer', founder: { name: 'hub', key: 'K-hub' } },
  } as unknown as FleetContext;
  const follower = createFollower(context, {
    onRoster: ({ version }, hasMissed) => void rosters.push({ version, hasMissed }),
    onOwnReport: () => undefined,
    onOutdated: () => undefined,
    onIncomplete: (machine) => void incomplete.push(machine),
  });
  const receive = async (kind: string, id: string, position: number, body: unknown, signature = 'K-laptop') => {
    follower.receive({ machine: 'laptop', kind, id }, { text: JSON.stringify({ position, body }), signature });
    await follower.settle();
  };
  return {
    follower,
    incomplete,
    rosters,
    /** Delivers a list of members, signed by the founder. `keys` maps the name of each member to its key. */
    list: async (version: number, keys: Readonly<Record<string, string>>) => {
      const members = Object.entries(keys).map(([name, key]) => ({ name, key, role: 'operator', joinedAt: NOON }));
      const sealed = { text: JSON.stringify({ version, members }), signature: 'K-hub' };
      follower.receive({ machine: '_fleet', kind: 'roster', id: 'members' }, sealed);
      await expect.poll(() => rosters.at(-1)?.version).toBe(version);
    },
    /** Delivers the state of an agent without waiting until the state is stored. */
    arrive: (id: string, position: number, label: string) =>
      follower.receive(
        { machine: 'laptop', kind: 'agent', id },
        { text: JSON.stringify({ position, body: { id, label } }), signature: 'K-laptop' },
      ),
    agent: (id: string, position: number, label: string, signature?: string) =>
      receive('agent', id, position, { id, label }, signature),
    /** Delivers a report of the other machine. `agents` maps the id of each agent in the report to its label. */
    report: (position: number, agents: Readonly<Record<string, string>>) => {
      const states = Object.entries(agents).map(([id, label]) => ({
        kind: 'agent',
        id,
        body: JSON.stringify({ id, label }),
      }));
      const present = { ...NOTHING, agent: Object.keys(agents) };
      return receive('report', 'self', position, { at: NOON, present, digest: sha256(digestText(states)) });
    },
    labels: () =>
      store
        .read((tx) => tx.fleetObjects('agent', 'laptop'))
        .map(({ body }) => (JSON.parse(body) as { label: string }).label),
  };
}

describe('a viewer of a fleet', () => {
  it('[T26] a viewer notices that the hub withholds the newest state of an agent', async () => {
    const { agent, report, follower, incomplete, labels } = await follow();
    await agent('1', 5, 'working');
    await report(5, { 1: 'working' });
    expect(follower.isWhole('laptop')).toBe(true);
    await report(6, { 1: 'waiting for you' });
    expect([follower.isWhole('laptop'), incomplete]).toEqual([false, ['laptop']]);
    await agent('1', 6, 'waiting for you');
    await report(6, { 1: 'waiting for you' });
    expect([follower.isWhole('laptop'), labels()]).toEqual([true, ['waiting for you']]);
  });

  it('[T26] a viewer notices that the hub withholds every state of an agent', async () => {
    const { agent, report, follower } = await follow();
    await agent('1', 5, 'working');
    await report(5, { 1: 'working', 2: 'idle' });
    expect(follower.isWhole('laptop')).toBe(false);
  });

  it('[T26] an older state of an agent does not replace a newer state', async () => {
    const { agent, labels } = await follow();
    await agent('1', 6, 'new');
    await agent('1', 5, 'old');
    expect(labels()).toEqual(['new']);
  });

  it('[T27] a viewer refuses a state that another machine signed', async () => {
    const { agent, labels } = await follow();
    await agent('1', 6, 'forged', 'K-hub');
    await agent('1', 6, 'forged', '');
    expect(labels()).toEqual([]);
  });

  it("after a machine was replaced under the same name, a viewer shows the new machine's states, even if the old machine's log was longer", async () => {
    const { agent, labels, list } = await follow();
    await agent('1', 500, 'of the old machine');
    await list(2, { laptop: 'K-new' });
    expect(labels()).toEqual([]);
    await agent('1', 3, 'of the new machine', 'K-new');
    expect(labels()).toEqual(['of the new machine']);
  });

  it('if a machine is replaced while a viewer stores a state of the old machine, the viewer does not show that state for the new machine', async () => {
    const { arrive, agent, labels, list, follower } = await follow();
    arrive('1', 500, 'of the old machine');
    await list(2, { laptop: 'K-new' });
    await follower.settle();
    expect(labels()).toEqual([]);
    await agent('1', 3, 'of the new machine', 'K-new');
    expect(labels()).toEqual(['of the new machine']);
  });

  it('when the member list changes, a viewer requests all states again only if the viewer has refused a state of a new member', async () => {
    const { agent, list, rosters } = await follow();
    await agent('1', 5, 'working');
    await list(2, { laptop: 'K-laptop', desk: 'K-desk' });
    await agent('1', 1, 'of the new machine', 'K-new');
    await list(3, { laptop: 'K-new', desk: 'K-desk' });
    await list(4, { laptop: 'K-new' });
    expect(rosters.map(({ hasMissed }) => hasMissed)).toEqual([false, true, false]);
  });

  it("if a machine's report is older than the states that a viewer has, the viewer reports no missing states", async () => {
    const { agent, report, follower } = await follow();
    await agent('1', 7, 'new');
    await report(6, { 1: 'old' });
    expect(follower.isWhole('laptop')).toBe(true);
  });
});
