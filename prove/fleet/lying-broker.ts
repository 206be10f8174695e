import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { purposes, readRoster } from '../../src/app/fleet/membership.ts';
import type { Sealed } from '../../src/app/ports/fleet/fleet-link.ts';
import { type Fleet, until } from './fleet.ts';
import { keysOf, publish, type Tried } from './forgeries.ts';
import type { Machine } from './machine.ts';

/** The subject (address on the hub) under which the founder publishes the list of members. */
export const ROSTER = 'baton.st._fleet.roster.members';

/** The id of an agent that does not exist. Only forged states name this agent. */
const GHOST = '77';

/**
 * Publishes false states, answers and lists of members. Each of these messages is unsigned, altered or outdated, or its
 * signature is by another machine or for another purpose. Returns the number of false messages, and how many kinds of
 * false messages the viewer believed.
 */
export async function lieAboutStates(
  fleet: Fleet,
  broker: NatsConnection,
  { viewer, sender }: { viewer: Machine; sender: Machine },
): Promise<Tried> {
  const [victim] = fleet.simulated;
  if (victim === undefined) throw new Error('the fleet has no simulated machine');
  const { name } = victim.options;
  const subject = (kind: string, id: string): string => `baton.st.${name}.${kind}.${id}`;
  const text = JSON.stringify({ position: 1_000_000, body: { ...victim.agentBody('1'), id: 77 } });
  const old = await stored(broker, subject('agent', '1'));
  const oldReport = await stored(broker, subject('report', 'self'));
  const [answered] = sender.store.read((tx) => tx.fleetObjects('command', 'target'));
  const oldAnswer = await stored(broker, `baton.st.target.command.${answered?.id}`);
  const oldRoster = await stored(broker, ROSTER);
  for (let count = 0; count < 40; count++) await victim.work();
  await fleet.caughtUp([victim], []);
  await knows(viewer, victim);

  const roster = JSON.stringify({ version: 1_000_000, members: [] });
  const answer = JSON.stringify({ position: 1_000_000, body: { status: 200, body: { forged: true } } });
  const by = keysOf(viewer);
  const lies: readonly (readonly [string, Sealed])[] = [
    [subject('agent', GHOST), { text, signature: '' }],
    [subject('agent', GHOST), { text, signature: 'AAAA' }],
    [subject('agent', GHOST), { text, signature: old.signature }],
    [subject('agent', GHOST), by.sign(purposes.state(name, 'agent', GHOST), text)],
    [subject('agent', GHOST), keysOf(victim).sign(purposes.state(name, 'agent', '1'), text)],
    [subject('agent', GHOST), keysOf(victim).sign(purposes.command(name), text)],
    [subject('agent', GHOST), old],
    [`baton.st.${sender.options.name}.agent.${GHOST}`, old],
    [subject('agent', '1'), old],
    [subject('report', 'self'), oldReport],
    [
      subject('report', 'self'),
      { ...oldReport, text: oldReport.text.replace('"takes_commands":true', '"takes_commands":false') },
    ],
    [`baton.st.target.command.${GHOST}`, oldAnswer],
    [subject('command', GHOST), { text: answer, signature: '' }],
    [subject('command', GHOST), by.sign(purposes.state(name, 'command', GHOST), answer)],
    [ROSTER, { text: roster, signature: '' }],
    [ROSTER, by.sign(purposes.roster, roster)],
    [ROSTER, { ...oldRoster, text: oldRoster.text.replace(/"version":\d+/, '"version":999999') }],
  ];
  for (const [to, sealed] of lies) await publish(broker, to, sealed);
  // Publish a true state after all false messages. The viewer reads the messages in order. So once the viewer has this
  // state, it has also read all false messages.
  await sender.work();
  await fleet.caughtUp([sender], []);
  await knows(viewer, sender);
  const believed = [
    viewer.store.read((tx) => tx.fleetObject({ machine: name, kind: 'agent', id: GHOST })) !== undefined,
    viewer.store.read((tx) => tx.fleetObject({ machine: 'sender', kind: 'agent', id: GHOST })) !== undefined,
    viewer.store.read((tx) => tx.fleetObject({ machine: name, kind: 'command', id: GHOST })) !== undefined,
    viewer.store.read((tx) => tx.fleetObject({ machine: 'target', kind: 'command', id: GHOST })) !== undefined,
    viewer.store.read((tx) => readRoster(tx).version) >= 999_999,
    !isKnown(viewer, victim),
    JSON.stringify(viewer.store.read((tx) => tx.machineReports())).includes('\\"takes_commands\\":false'),
  ];
  // Remove the false messages from the hub, where they replaced true states. Then break the connection of the attacked
  // machine, so that the machine sends its true states again.
  await (await jetstreamManager(broker)).streams.purge('STATE', { filter: subject('agent', GHOST) });
  await (await jetstreamManager(broker)).streams.purge('STATE', { filter: `baton.st.sender.agent.${GHOST}` });
  await (await jetstreamManager(broker)).streams.purge('STATE', { filter: `baton.st.target.command.${GHOST}` });
  victim.options.proxy?.cut();
  victim.options.proxy?.heal();
  return { tried: lies.length, accepted: believed.filter(Boolean).length };
}

export async function stored(broker: NatsConnection, subject: string): Promise<Sealed> {
  const message = await (await jetstreamManager(broker)).streams.getMessage('STATE', { last_by_subj: subject });
  if (message === null) throw new Error(`the hub has no state at ${subject}`);
  return { text: message.string(), signature: message.header.get('Baton-Signature') };
}

/** Returns whether the viewer has the current state of every agent of the machine, and no other agent. */
const isKnown = (viewer: Machine, other: Machine): boolean => {
  const seen = viewer.store.read((tx) => tx.fleetObjects('agent', other.options.name));
  return (
    seen.length === other.states.size &&
    seen.every(({ id, body }) => body === JSON.stringify(other.states.has(id) ? other.agentBody(id) : null))
  );
};

async function knows(viewer: Machine, other: Machine): Promise<void> {
  await until(`${viewer.options.name} knows ${other.options.name}`, async () => isKnown(viewer, other));
}
