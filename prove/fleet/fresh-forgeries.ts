import { randomUUID } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { purposes, readRoster } from '../../src/app/fleet/membership.ts';
import type { MachineKeys, Sealed } from '../../src/app/ports/fleet/fleet-link.ts';
import type { FleetCommand } from '../../src/domain/fleet/command.ts';
import { after, instantFromMs } from '../../src/domain/instant.ts';
import { type Fleet, until } from './fleet.ts';
import {
  type Attackers,
  commandsFor,
  keysOf,
  type Making,
  publish,
  signatureHeader,
  type Target,
  type Tried,
  taken,
} from './forgeries.ts';
import type { Machine } from './machine.ts';

/**
 * The order L of the Ed25519 group, a constant of the signature scheme. A signature contains a number S. A careless
 * check accepts the number S + L as well.
 */
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/**
 * Returns forged commands: altered times, a field that occurs twice, a key inside the command, and an id that was
 * already used. The author of these forgeries knew only the description of the fleet, not the code that checks
 * commands.
 */
export function freshShapes({ good, command, signed, sender, viewer }: Making): readonly Sealed[] {
  const now = instantFromMs(Date.now());
  const { id } = JSON.parse(good.text) as FleetCommand;
  const text = (change: object = {}): string => JSON.stringify({ ...command(), ...change });
  const twice = (first: object): string => `{${JSON.stringify(first).slice(1, -1)},${text().slice(1)}`;
  const { from: _, ...anonymous } = command();
  const late = command({ issued_at: after(now, -300_000), expires_at: after(now, -180_000) });
  return [
    // An expired command whose expiry time was changed to a later time. The signature still belongs to the old time.
    altered(signed(sender, JSON.stringify(late)), late.expires_at, after(now, 60_000)),
    // A valid command whose id was changed, so that the target's list of performed commands does not contain the id.
    altered(good, id, '0a000000-0000-4000-8000-000000000001'),
    // A signed command with other content but the id of a command that was already performed.
    signed(sender, text({ id, query: 'again=1' })),
    // Commands with impossible times, such as an unreadable date. A careless comparison would conclude that such a
    // command has not expired.
    signed(sender, text({ issued_at: after(now, 9_000), expires_at: after(now, 5_000) })),
    signed(sender, text({ expires_at: '9999-99-99T99:99:99.999Z' })),
    signed(sender, text({ issued_at: '2026-02-31T25:61:61.000Z', expires_at: '9999-12-31T23:59:59.999Z' })),
    // Commands that parsers read in different ways. If a field occurs twice, some parsers take the first occurrence and
    // others the last. Some parsers also take fields from `__proto__`.
    signed(viewer, twice({ from: 'viewer' })),
    signed(viewer, twice({ from: 'viewer', machine: 'viewer' })),
    signed(viewer, JSON.stringify(anonymous).replace('{', '{"__proto__":{"from":"sender"},')),
    // A forged command that brings its own public key. A machine must not check the command's signature with this key.
    signed(viewer, text({ key: keysOf(viewer).publicKey })),
    // Valid commands whose text was changed without a change of its meaning, for example by another order of the
    // fields. The signature still belongs to the original text.
    { ...good, text: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(good.text) as object).reverse())) },
    { ...good, text: good.text.replace('"from":"sender"', '"from":"\\u0073ender"') },
    // A signature in which every byte is 0, and a signature that is twice as long as it should be.
    { text: text(), signature: Buffer.alloc(64).toString('base64url') },
    { text: text(), signature: `${good.signature}${good.signature}` },
  ];
}

const altered = (sealed: Sealed, from: string, to: string): Sealed => ({
  ...sealed,
  text: sealed.text.replace(from, to),
});

/**
 * Sends one new command several times, each time with the same signature in another notation. The machine must perform
 * the command once. Returns how many further times the machine performed it.
 */
export async function sendNotations(target: Target, { broker, sender }: Attackers): Promise<Tried> {
  const base = target.performed();
  const sealed = keysOf(sender).sign(purposes.command(target.name), JSON.stringify(commandsFor(target)()));
  const bytes = Buffer.from(sealed.signature, 'base64url');
  const signatures = [
    second(bytes).toString('base64url'),
    sealed.signature,
    `${sealed.signature}==`,
    bytes.toString('base64'),
    ` ${sealed.signature}`,
    sealed.signature,
  ];
  for (const signature of signatures) await publish(broker, `baton.cmd.${target.name}`, { ...sealed, signature });
  await taken(broker, target.name);
  return { tried: signatures.length - 1, accepted: Math.max(0, target.performed() - base - 1) };
}

/** Returns the signature with S + L instead of S. A careless check accepts both signatures for the same text. */
function second(signature: Buffer): Buffer {
  const made = Buffer.from(signature);
  let rest = GROUP_ORDER + BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`);
  for (let place = 32; place < 64; place++, rest >>= 8n) made[place] = Number(rest & 255n);
  return made;
}

/**
 * Stops the founder of the fleet. When the attacked machine then asks the founder for the time, sends back an old
 * answer of the founder, unchanged or altered. Returns the number of such answers, and how many expired commands the
 * machine performed.
 */
export async function replayTime(fleet: Fleet, target: Target, { broker, sender }: Attackers): Promise<Tried> {
  const seen: Sealed[] = [];
  const listener = broker.subscribe(`_INBOX.${target.name}.>`, {
    callback: (error, message) => {
      const text = error === null ? message.string() : '';
      if (text.includes('"rosterVersion"'))
        seen.push({ text, signature: message.headers?.get('Baton-Signature') ?? '' });
    },
  });
  await until(`${target.name} asks for the time`, async () => seen.length > 0);
  listener.unsubscribe();
  const base = target.performed();
  const long = instantFromMs(Date.now() - 3_600_000);
  // A command that expired almost an hour ago. A machine accepts this command only if it believes that its clock is an
  // hour fast.
  const command = commandsFor(target)({ issued_at: long, expires_at: after(long, 300_000) });
  const [old] = seen;
  const lies = [
    old?.text ?? '',
    (old?.text ?? '').replace(/"now":"[^"]+"/, `"now":"${long}"`),
    '{"now":null,"nonce":null,"rosterVersion":0}',
  ];
  process.kill(fleet.hub.baton.pid, 'SIGSTOP');
  try {
    for (const lie of lies) {
      const liar = broker.subscribe(`baton.founder.time.${target.name}`, {
        callback: (_, message) => void message.respond(lie, { headers: signatureHeader(old?.signature ?? '') }),
      });
      await broker.flush();
      const sealed = keysOf(sender).sign(
        purposes.command(target.name),
        JSON.stringify({ ...command, id: randomUUID() }),
      );
      await publish(broker, `baton.cmd.${target.name}`, sealed);
      await taken(broker, target.name);
      liar.unsubscribe();
    }
  } finally {
    process.kill(fleet.hub.baton.pid, 'SIGCONT');
  }
  await broker.flush();
  return { tried: lies.length, accepted: target.performed() - base };
}

/**
 * Adds a forged event to the history of a machine on the hub. The machine must not append its own events after the
 * forged event. The machine must stop reporting and say that the hub has more events than the machine's own log.
 */
export async function lieAboutLog(fleet: Fleet, broker: NatsConnection): Promise<Tried> {
  const machine = await fleet.join('lied-to', 1);
  await machine.work();
  await fleet.caughtUp([machine], []);
  const made = headers();
  made.set('Nats-Msg-Id', 'lied-to:500:beef');
  await jetstream(broker).publish('baton.ev.lied-to', '{}', { headers: made });
  await machine.work();
  const isNoticed = await until(
    'the machine notices the forged event',
    async () => machine.control.status().problem?.code === 'log_went_back',
    60_000,
  ).then(
    () => true,
    () => false,
  );
  const { status } = await fleet.hub.baton.call('POST', '/api/fleet/revoke', { name: 'lied-to' });
  if (status !== 200) throw new Error('the machine with the forged history was not revoked');
  fleet.simulated.splice(fleet.simulated.indexOf(machine), 1);
  await machine.kill();
  return { tried: 1, accepted: isNoticed ? 0 : 1 };
}

/**
 * Lets a new machine join under the name of the revoked machine `sender`. Then sends commands that are signed with the
 * key of the revoked machine.
 */
export async function replacedKey(
  fleet: Fleet,
  broker: NatsConnection,
  { old, target }: { readonly old: MachineKeys; readonly target: Machine },
  targets: readonly Target[],
): Promise<Tried> {
  const base = targets.map(({ performed }) => performed());
  const joined = await fleet.join('sender', 1);
  const { publicKey } = keysOf(joined);
  await until('target lists the new sender', async () =>
    target.store.read(readRoster).members.some(({ key }) => key === publicKey),
  );
  const real = fleet.real.at(-1);
  await until('the real machine lists the new sender', async () =>
    ((await real?.machines()) ?? []).some(({ name }) => name === 'sender'),
  );
  for (const each of targets) {
    const text = JSON.stringify(commandsFor(each)());
    await publish(broker, `baton.cmd.${each.name}`, old.sign(purposes.command(each.name), text));
    await taken(broker, each.name);
  }
  return {
    tried: targets.length,
    accepted: targets.filter(({ performed }, place) => performed() !== base[place]).length,
  };
}
