import { jetstream } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { purposes, readRoster } from '../../src/app/fleet/membership.ts';
import type { Sealed } from '../../src/app/ports/fleet/fleet-link.ts';
import type { FleetCommand } from '../../src/domain/fleet/command.ts';
import { after, instantFromMs } from '../../src/domain/instant.ts';
import { type Fleet, must, until } from './fleet.ts';
import { freshShapes, lieAboutLog, replacedKey, replayTime, sendNotations } from './fresh-forgeries.ts';
import { lieAboutStates, ROSTER, stored } from './lying-broker.ts';
import type { Machine } from './machine.ts';

export interface Tried {
  readonly tried: number;
  readonly accepted: number;
}

/** A machine that this test attacks. `performed` returns how many commands the machine has performed. */
export interface Target {
  readonly name: string;
  readonly route: string;
  readonly performed: () => number;
  /** Returns the last lines of the machine's log, for the message of a failed proof. */
  readonly lines: () => readonly string[];
}

const MARK = 'forged-mark-end';

const isViewer = ({ name }: { readonly name: string }): boolean => name === 'viewer';

/**
 * Acts as a hostile broker, with every right on the hub. Sends forged, altered, replayed and expired commands, states
 * and times to a simulated and to a real machine. Returns the number of forgeries, and how many of them had an effect.
 */
export async function tryForgeries(fleet: Fleet, broker: NatsConnection): Promise<Tried> {
  const target = await fleet.join('target', 1);
  const sender = await fleet.join('sender', 1, { isViewer: true });
  const viewer = await fleet.join('viewer', 1, { role: 'viewer', isViewer: true });
  await fleet.caughtUp([target, sender, viewer], []);
  const real = fleet.real.at(-1);
  const agent = real?.agents[0];
  if (real === undefined || agent === undefined) throw new Error('no real machine has an agent');
  // Wait until each attacked machine has the newest list of members, because a machine refuses every command until
  // then. The machine `viewer` joined last, so a list that contains this machine is the newest one.
  await until('target lists the viewer', async () => target.store.read(readRoster).members.some(isViewer));
  await until(`${real.name} lists the viewer`, async () => (await real.machines()).some(isViewer));
  const targets: readonly Target[] = [
    {
      name: 'target',
      route: '/api/agents/1/stop',
      performed: () => fleet.executions.filter(({ machine }) => machine === 'target').length,
      lines: () => target.lines,
    },
    {
      name: real.name,
      route: `/api/agents/${agent.id}/messages`,
      performed: () => real.baton.accepted(agent.id, MARK),
      lines: () => [],
    },
  ];
  const results: Tried[] = [];
  const attackers = { broker, sender, viewer };
  for (const each of targets) {
    results.push(await attack(each, attackers));
    results.push(await sendNotations(each, attackers));
    results.push(await replayTime(fleet, each, attackers));
  }
  results.push(await lieAboutStates(fleet, broker, { viewer, sender }));
  results.push(await lieAboutLog(fleet, broker));
  results.push(await revokedCommand(fleet, broker, sender, targets));
  results.push(await replacedKey(fleet, broker, { old: keysOf(sender), target }, targets));
  return {
    tried: results.reduce((sum, { tried }) => sum + tried, 0),
    accepted: results.reduce((sum, { accepted }) => sum + accepted, 0),
  };
}

export interface Attackers {
  readonly broker: NatsConnection;
  readonly sender: Machine;
  readonly viewer: Machine;
}

async function attack(target: Target, { broker, sender, viewer }: Attackers): Promise<Tried> {
  const send = (sealed: Sealed): Promise<void> => publish(broker, `baton.cmd.${target.name}`, sealed);
  const command = commandsFor(target);
  const signed = (by: Machine, text: string, purpose = purposes.command(target.name)): Sealed =>
    keysOf(by).sign(purpose, text);
  const good = signed(sender, JSON.stringify(command()));
  // First send a valid command twice. The machine must perform the command exactly once, which shows that the machine
  // does not simply refuse every command.
  await send(good);
  await send(good);
  await settled(target, sender, broker);
  const base = target.performed();
  if (base !== 1)
    throw new Error(`${target.name} performed the right command ${base} times: ${target.lines().join('; ')}`);

  const shapes: readonly Sealed[] = [
    ...forgedShapes(target, { good, command, signed, sender, viewer }),
    ...freshShapes({ good, command, signed, sender, viewer }),
    ...strangeRoutes(target.name).map((route) => signed(sender, JSON.stringify(command({ route })))),
  ];
  for (const shape of shapes) await send(shape);
  await settled(target, sender, broker);
  const lied = await lieAboutTime(target, { broker, sender, viewer });
  const answered = acceptedAnswers(sender, target.name, shapes, good);
  return { tried: shapes.length + lied.tried + 1, accepted: target.performed() - base + answered + lied.accepted };
}

export interface Making {
  readonly good: Sealed;
  readonly command: (change?: Partial<FleetCommand>) => FleetCommand;
  readonly signed: (by: Machine, text: string, purpose?: string) => Sealed;
  readonly sender: Machine;
  readonly viewer: Machine;
}

function forgedShapes({ route }: Target, { good, command, signed, sender, viewer }: Making): readonly Sealed[] {
  const now = instantFromMs(Date.now());
  const text = (change: object = {}): string => JSON.stringify({ ...command(), ...change });
  return [
    { text: text(), signature: '' },
    { text: text(), signature: 'AAAA' },
    { text: text(), signature: good.signature },
    { ...good, text: good.text.replace(route, '/api/agents/2/stop') },
    { ...good, text: good.text.replace(/"id":"0/, '"id":"1') },
    { ...good, text: good.text.replace('"operator":"cli"', '"operator":"page"') },
    signed(viewer, text()),
    signed(viewer, text({ from: 'viewer' })),
    signed(sender, text({ from: 'stranger' })),
    signed(sender, text({ from: 'hub' })),
    signed(sender, text({ machine: 'sender' })),
    signed(sender, text(), purposes.command('sender')),
    signed(sender, text(), purposes.state('sender', 'agent', '1')),
    signed(sender, text(), purposes.event('sender', 1)),
    signed(sender, text(), purposes.roster),
    signed(sender, text({ issued_at: after(now, -300_000), expires_at: after(now, -180_000) })),
    signed(sender, text({ issued_at: after(now, -60_000), expires_at: after(now, -1) })),
    signed(sender, text({ issued_at: after(now, 3_600_000), expires_at: after(now, 3_700_000) })),
    signed(sender, text({ issued_at: now, expires_at: after(now, 86_400_000) })),
    signed(sender, text({ issued_at: after(now, -1_000_000), expires_at: after(now, 100_000) })),
    signed(sender, text({ expires_at: undefined })),
    signed(sender, text({ expires_at: 'later' })),
    signed(sender, text({ id: '../../x' })),
    signed(sender, text({ id: 7 })),
    signed(sender, text({ route: 'http://elsewhere/api' })),
    signed(sender, text({ method: 'GET' })),
    signed(sender, text({ method: 'DELETE' })),
    signed(sender, text({ operator: 'agent' })),
    signed(sender, 'not json'),
    signed(sender, '[]'),
    { ...good, text: `${good.text} ` },
    good,
  ];
}

/**
 * Routes that other machines must not use. Some of these paths look harmless to a careless check, but a router may read
 * them as a forbidden route.
 */
const strangeRoutes = (name: string): readonly string[] =>
  name === 'target'
    ? []
    : [
        '/api/stop',
        '/api/agents',
        '/api/projects',
        '/api/fleet/leave',
        '/api/fleet/invite',
        '/api/machines/hub/agents/1/stop',
        '/api/agents/1/../../stop',
        '/api/agents/./1/stop',
        '/api//stop',
        '/api/../api/stop',
        '/api/fleet/revoke',
        '/api/fleet/join',
        '/api/login-codes',
        '/api/settings',
        '/api/agents/1/stop/../../../stop',
        '/api/agents/1%2f..%2f..%2fstop',
        '/API/stop',
        '/api/stop/',
      ];

/**
 * Sends an expired command. The machine then asks the founder for the time, and gets a forged answer with an old time.
 */
async function lieAboutTime(target: Target, { broker, sender, viewer }: Attackers): Promise<Tried> {
  const base = target.performed();
  const long = instantFromMs(Date.now() - 3_600_000);
  const lies: readonly ((nonce: string) => Sealed)[] = [
    (nonce) => ({ text: JSON.stringify({ nonce, now: long, rosterVersion: 1 }), signature: '' }),
    (nonce) => keysOf(viewer).sign(purposes.founder('time'), JSON.stringify({ nonce, now: long, rosterVersion: 1 })),
    () => ({ text: 'not json', signature: 'AAAA' }),
  ];
  const command = commandsFor(target)({ issued_at: long, expires_at: after(long, 60_000) });
  for (const lie of lies) {
    const subscription = broker.subscribe(`baton.founder.time.${target.name}`, {
      callback: (error, message) => {
        if (error !== null) return;
        const { text, signature } = lie(message.string());
        message.respond(text, { headers: signatureHeader(signature) });
      },
    });
    await publish(
      broker,
      `baton.cmd.${target.name}`,
      keysOf(sender).sign(purposes.command(target.name), JSON.stringify(command)),
    );
    await taken(broker, target.name);
    subscription.unsubscribe();
    await broker.flush();
  }
  return { tried: lies.length, accepted: target.performed() - base };
}

/**
 * Revokes the machine `sender`, then sends commands that are signed with its key. Then publishes the old list of
 * members, which still contains `sender`, and sends such commands again.
 */
async function revokedCommand(
  fleet: Fleet,
  broker: NatsConnection,
  sender: Machine,
  targets: readonly Target[],
): Promise<Tried> {
  const keys = keysOf(sender);
  const base = targets.map(({ performed }) => performed());
  const before = await stored(broker, ROSTER);
  const { status } = await fleet.hub.baton.call('POST', '/api/fleet/revoke', { name: 'sender' });
  if (status !== 200) throw new Error('the sender was not revoked');
  fleet.simulated.splice(fleet.simulated.indexOf(sender), 1);
  const command = async (target: Target): Promise<void> => {
    const text = JSON.stringify(commandsFor(target)());
    await publish(broker, `baton.cmd.${target.name}`, keys.sign(purposes.command(target.name), text));
    await taken(broker, target.name);
  };
  for (const target of targets) await command(target);
  const newest = await stored(broker, ROSTER);
  await publish(broker, ROSTER, before);
  for (const target of targets) await command(target);
  await publish(broker, ROSTER, newest);
  await sender.kill();
  const accepted = targets.filter(({ performed }, place) => performed() !== base[place]).length;
  return { tried: 2 * targets.length, accepted };
}

let number = 0;

export const commandsFor =
  ({ name, route }: Target) =>
  (change: Partial<FleetCommand> = {}): FleetCommand => {
    const now = instantFromMs(Date.now());
    number += 1;
    return {
      id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
      machine: name,
      from: 'sender',
      method: 'POST',
      route,
      query: '',
      body: route.endsWith('messages') ? { text: `Please note ${MARK}.` } : {},
      issued_at: now,
      expires_at: after(now, 120_000),
      operator: 'cli',
      ...change,
    };
  };

export function keysOf({ transport }: Machine) {
  const keys = transport.readKeys();
  if (keys === undefined) throw new Error('the machine has no keys');
  return keys;
}

export async function publish(broker: NatsConnection, subject: string, { text, signature }: Sealed): Promise<void> {
  await jetstream(broker).publish(subject, text, { headers: signatureHeader(signature) });
}

export function signatureHeader(signature: string) {
  const made = headers();
  made.set('Baton-Signature', signature);
  return made;
}

/** Resolves when the machine has taken and confirmed all its commands on the hub. */
export async function taken(broker: NatsConnection, name: string): Promise<void> {
  const consumers = await jetstream(broker).consumers.get(`CMD_${name}`, 'baton');
  await until(`${name} has taken its commands`, async () => {
    const { num_pending, num_ack_pending } = await consumers.info();
    return num_pending + num_ack_pending === 0;
  });
}

/**
 * Waits until the machine has handled all earlier commands. If the machine is real, also sends a request without any
 * effect, because a real machine answers this request only after all earlier commands.
 */
async function settled({ name }: Target, sender: Machine, broker: NatsConnection): Promise<void> {
  await taken(broker, name);
  const request = { method: 'POST', route: '/api/agents/999/stop', query: '', body: {}, operator: 'cli' } as const;
  if (name !== 'target') await must(sender.control.send(name, request));
}

/** Counts the forged commands that the machine answered as if it had performed them. */
function acceptedAnswers(sender: Machine, machine: string, shapes: readonly Sealed[], good: Sealed): number {
  const known = sender.store.read((tx) => tx.fleetObjects('command', machine));
  const idOf = (text: string): string | undefined => /"id":"([^"]+)"/.exec(text)?.[1];
  const ids = new Set(shapes.map(({ text }) => idOf(text)).filter((id) => id !== idOf(good.text)));
  return known.filter(({ id, body }) => ids.has(id) && (JSON.parse(body) as { status: number }).status < 400).length;
}
