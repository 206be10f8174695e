import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { answerOn } from '../../src/contract/words/machine-commands.ts';
import { LOG_START, type LogMark } from '../../src/domain/fleet/compare-logs.ts';
import { type Fleet, until } from './fleet.ts';
import type { Machine } from './machine.ts';
import type { RealMachine } from './real-machine.ts';

export interface LogVerdict {
  readonly events: number;
  readonly lost: number;
  readonly doubled: number;
}

/** Compares the hub's copy of a machine's log with the machine's own log. */
export async function judgeLog(name: string, own: readonly LogMark[], as: NatsConnection): Promise<LogVerdict> {
  const found: string[] = [];
  const stream = `EV_${name}`;
  const { messages } = (await (await jetstreamManager(as)).streams.info(stream)).state;
  const consumer = await jetstream(as).consumers.get(stream);
  const all = await consumer.fetch({ max_messages: messages, expires: 30_000 });
  for await (const message of all) {
    const [, seq = '', hash = ''] = (message.headers?.get('Nats-Msg-Id') ?? '').split(':');
    if (seq !== '0') found.push(`${seq}:${hash}`);
    if (message.info.pending === 0) break;
  }
  const texts = own.map(({ seq, hash }) => `${seq}:${hash}`);
  const [written, known] = [new Set(texts), new Set(found)];
  const end = own.at(-1)?.seq ?? 0;
  const inTime = found.filter((event) => Number(event.split(':')[0]) <= end);
  return {
    events: texts.length,
    lost: texts.filter((event) => !known.has(event)).length,
    // Count events that occur twice, events that the machine never wrote, and events out of order.
    doubled:
      found.length -
      known.size +
      inTime.filter((event) => !written.has(event)).length +
      (inTime.join() === texts.join() ? 0 : 1),
  };
}

export const logOf = ({ store }: Machine): readonly LogMark[] => store.read((tx) => tx.eventsAfter(0, 1_000_000));

/**
 * Compares the hub's copy of every machine's log with the machine's own log. Stops the real machines first, and reads
 * their logs from their stores.
 */
export async function judgeLogs(fleet: Fleet, as: NatsConnection): Promise<LogVerdict> {
  const verdicts: LogVerdict[] = [];
  for (const machine of fleet.real) verdicts.push(await judgeLog(machine.name, await machine.stopAndReadLog(), as));
  for (const machine of fleet.simulated) verdicts.push(await judgeLog(machine.options.name, logOf(machine), as));
  const sum = (of: keyof LogVerdict): number => verdicts.reduce((total, verdict) => total + verdict[of], 0);
  return { events: sum('events'), lost: sum('lost'), doubled: sum('doubled') };
}

/**
 * Compares what each viewer shows about every other machine with the store of the shown machine. Waits until all views
 * are equal to the stores. Returns each pair of viewer and shown machine that still differs in the end.
 */
export async function differentViews(fleet: Fleet, viewers: readonly (RealMachine | Machine)[]): Promise<string[]> {
  let different: string[] = [];
  const compare = async (): Promise<boolean> => {
    different = [];
    const truths = new Map<string, string>();
    for (const machine of fleet.real) truths.set(machine.name, await machine.truth());
    for (const machine of fleet.simulated) truths.set(machine.options.name, truthOf(machine));
    for (const viewer of viewers) {
      const self = nameOf(viewer);
      for (const [name, truth] of truths) {
        if (name === self) continue;
        const isSame =
          'baton' in viewer ? (await viewer.view(name)) === asShown(name, truth) : viewOf(viewer, name) === truth;
        if (!isSame) different.push(`${self} of ${name}`);
      }
    }
    return different.length === 0;
  };
  await until('all views are equal', compare, 60_000).catch(() => undefined);
  return different;
}

/**
 * Converts a machine's own objects to the form in which another machine's API shows them. In that form, each `baton`
 * command in a sentence also names the machine.
 */
const asShown = (name: string, truth: string): string =>
  truth
    .split('\n')
    .map((line) => (line === '' ? '' : JSON.stringify(answerOn(name, JSON.parse(line)))))
    .join('\n');

const nameOf = (machine: RealMachine | Machine): string => ('baton' in machine ? machine.name : machine.options.name);

const sorted = (rows: readonly { readonly id: string | number; readonly text: string }[]): string =>
  rows
    .toSorted((one, other) => (String(one.id) < String(other.id) ? -1 : 1))
    .map(({ text }) => text)
    .join('\n');

const truthOf = (machine: Machine): string =>
  sorted([...machine.states.keys()].map((id) => ({ id, text: JSON.stringify(machine.agentBody(id)) })));

/** Returns the objects of another machine that a simulated viewer stores, sorted as in a real machine's lists. */
const viewOf = (viewer: Machine, name: string): string =>
  (['agent', 'run', 'item', 'package'] as const)
    .map((kind) =>
      sorted(
        viewer.store
          .read((tx) => tx.fleetObjects(kind, name))
          .map(({ id, body }) => ({ id, text: JSON.stringify(JSON.parse(body)) })),
      ),
    )
    .filter((text) => text !== '')
    .join('\n');

/**
 * Opens a second connection to the hub with the key of the given machine. Repeats two events of the machine's log over
 * this connection, and adds one event whose number leaves a gap. Returns how many events were sent and how many the hub
 * accepted.
 */
export async function repeatEvents(
  fleet: Fleet,
  { options: { name }, transport, store }: Machine,
): Promise<{ tried: number; accepted: number }> {
  const link = transport.connect({ host: '127.0.0.1', port: fleet.port, certificate: null }, name);
  await until('the second connection is open', async () => link.isConnected());
  const events = store.read((tx) => tx.eventsAfter(0, 2)).map(({ seq, hash }) => ({ seq, hash }));
  const sealed = (mark: LogMark) => ({ mark, text: '{}', signature: '' });
  const [first = LOG_START, second = LOG_START] = events;
  const gap = { seq: 1_000_000, hash: 'gap' };
  const outcomes = [
    await link.append(LOG_START, [sealed(first)]),
    await link.append(first, [sealed(second)]),
    await link.append(gap, [sealed({ seq: gap.seq + 1, hash: 'later' })]),
  ];
  await link.close();
  return { tried: outcomes.length, accepted: outcomes.filter(Boolean).length };
}
