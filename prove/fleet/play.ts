import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { refusesCopy, restoreHome } from './copies.ts';
import type { Fleet } from './fleet.ts';
import { tryForgeries } from './forgeries.ts';
import { differentViews, judgeLog, judgeLogs, logOf, repeatEvents } from './judge.ts';
import type { RealMachine } from './real-machine.ts';

export interface Size {
  /** The number of real Batons, including the founder. */
  readonly real: number;
  /** The number of practice agents on each real Baton. */
  readonly realAgents: number;
  readonly simulated: number;
  /** The number of simulated agents on each simulated machine. */
  readonly agentsEach: number;
  readonly rounds: number;
  /**
   * The time between two reports of a machine. Every report goes to every machine, so the traffic grows with the square
   * of the number of machines.
   */
  readonly beatMs: number;
}

/** A message that was sent to a practice agent on another machine. */
interface SentMessage {
  readonly target: RealMachine;
  readonly agentId: number;
  readonly mark: string;
  /** True if the target machine answered that the agent has the message. */
  isConfirmed: boolean;
}

const REQUEST = { method: 'POST', route: '/api/agents/1/stop', query: '', body: {}, operator: 'cli' } as const;

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/**
 * Runs the whole test: builds the fleet, kills machines and cuts connections, attacks the fleet, and judges the result.
 */
export async function play(fleet: Fleet, size: Size, scratch: string, say: (line: string) => void) {
  await gather(fleet, size, say);
  const onDisk = await fleet.join('disk', 0, {
    isViewer: true,
    onDisk: { folder: mkdtempSync(join(scratch, 'disk-')) },
  });
  say(`${fleet.size} machines joined`);
  await fleet.caughtUp();

  const worked = await work(fleet, size, say);
  say('the work is over');
  fleet.diesAt = () => false;
  const broker = await fleet.asBroker();
  await fleet.commandsTaken(broker);
  const forgeries = await tryForgeries(fleet, broker);
  say(`${forgeries.tried} forgeries tried`);
  await fleet.caughtUp();

  const newViewer = await fleet.join('new-viewer', 0, { isViewer: true });
  const began = performance.now();
  await differentViews(fleet, [newViewer]);
  const newViewerMs = Math.round(performance.now() - began);
  const viewers = [...fleet.real, onDisk, newViewer];
  const different = await differentViews(fleet, viewers);
  for (const pair of different) say(`a view is wrong: ${pair}`);

  const diskLog = await judgeLog('disk', logOf(onDisk), broker);
  const copyRefused = await refusesCopy(onDisk, fleet, scratch);
  const sender = pick(fleet.simulated.filter((machine) => machine !== onDisk));
  // If the hub has events of the copy, the machine's log no longer continues there, so a restored home cannot be judged.
  const restored = copyRefused
    ? await restoreHome(onDisk, sender, fleet, broker, scratch)
    : { isNoticed: false, hasTaken: false };
  // Leave this machine out of the final check: its log was judged above, before its home was copied and restored.
  fleet.simulated.splice(fleet.simulated.indexOf(onDisk), 1);
  const { logs, repeats } = await judgeEnd(fleet, broker);
  const counts = new Map<string, number>();
  for (const { id } of fleet.executions) counts.set(id, (counts.get(id) ?? 0) + 1);
  const { messages } = worked;
  return {
    machines: fleet.size + 1,
    agents:
      fleet.simulated.reduce((sum, { states }) => sum + states.size, 0) +
      fleet.real.reduce((sum, { agents }) => sum + agents.length, 0),
    events: logs.events + diskLog.events,
    commands: worked.commands + messages.length,
    hub_kills: worked.hubKills,
    cuts: worked.cuts,
    lost:
      logs.lost + diskLog.lost + messages.filter((message) => message.isConfirmed && arrivals(message) === 0).length,
    doubled: logs.doubled + diskLog.doubled,
    executed_twice:
      [...counts.values()].filter((count) => count > 1).length +
      messages.filter((message) => arrivals(message) > 1).length,
    executed_expired: fleet.executions.filter(({ atMs, expiresAtMs }) => atMs > expiresAtMs).length,
    forged_accepted: forgeries.accepted + repeats.accepted,
    view_equal: different.length === 0,
    catch_up_p95_ms: Math.round(
      worked.catchUps.toSorted((a, b) => a - b)[Math.floor(worked.catchUps.length * 0.95)] ?? 0,
    ),
    real_machines: fleet.real.length,
    machine_kills: worked.machineKills,
    executed: fleet.executions.length + messages.filter((message) => arrivals(message) > 0).length,
    shapes: forgeries.tried + repeats.tried,
    copy_refused: copyRefused,
    restored_noticed: restored.isNoticed,
    restored_took_command: restored.hasTaken,
    new_viewer_ms: newViewerMs,
  };
}

async function gather(
  fleet: Fleet,
  { real, realAgents, simulated, agentsEach }: Size,
  say: (line: string) => void,
): Promise<void> {
  await fleet.found(realAgents);
  for (let number = 1; number < real; number++) await fleet.joinReal(`real-${number}`, realAgents);
  for (let number = 1; number <= simulated; number++) {
    await fleet.join(`machine-${number}`, agentsEach, { isViewer: number === 1 });
    if (fleet.size % 10 === 0) say(`${fleet.size} machines joined`);
  }
}

/**
 * Lets all machines log events and send commands. Meanwhile kills the hub and machines of both kinds, and cuts
 * connections.
 */
async function work(fleet: Fleet, size: Size, say: (line: string) => void) {
  let commands = 0;
  let [hubKills, cuts, realKills] = [0, 0, 0];
  const catchUps: number[] = [];
  const sent: Promise<unknown>[] = [];
  const messages: SentMessage[] = [];
  const doomed = new Set<string>();
  const seen: string[] = [];
  // Two of every five commands end with a kill of the target machine. At the first of five commands, the kill comes
  // after the effect but before the answer. At the third, the kill comes before the machine stores a fact.
  fleet.diesAt = (point, { id }) => {
    if (!seen.includes(id)) seen.push(id);
    if (doomed.has(id) || seen.indexOf(id) % 5 !== (point === 'after' ? 0 : 2)) return false;
    doomed.add(id);
    return true;
  };
  const log = async (events: number): Promise<void> => {
    for (let count = 0; count < events; count++) await pick(fleet.simulated).work();
  };
  const message = (round: number): void => {
    const target = pick(fleet.real.slice(1));
    const [agent] = target.agents;
    if (agent === undefined) return;
    const entry: SentMessage = { target, agentId: agent.id, mark: `fleet-mark-${round}-end`, isConfirmed: false };
    messages.push(entry);
    const path = `/api/machines/${target.name}/agents/${agent.id}/messages`;
    sent.push(
      fleet.hub.baton
        .call<{ verdict?: string }>('POST', path, { text: `Please note ${entry.mark}.` })
        .then(({ status, body }) => {
          entry.isConfirmed = status === 200 && body.verdict === 'accepted';
        })
        .catch(() => undefined),
    );
  };

  for (let round = 0; round < size.rounds; round++) {
    await log(3 * fleet.simulated.length);
    for (let count = 0; count < 3; count++) {
      const [from, to] = [pick(fleet.simulated), pick(fleet.simulated)];
      if (from === to) continue;
      commands += 1;
      sent.push(from.control.send(to.options.name, REQUEST).catch(() => undefined));
    }
    message(round);
    if (round % 4 === 1) {
      hubKills += 1;
      fleet.killHub();
      await log(fleet.simulated.length);
      catchUps.push(await fleet.caughtUp());
    }
    if (round % 4 === 2) {
      realKills += 1;
      await pick(fleet.real.slice(1)).killAndStart();
    }
    if (round % 4 === 3) {
      // Cut the connections of a real and of a simulated machine.
      const cut = [pick(fleet.real.slice(1)).proxy, pick(fleet.simulated).options.proxy];
      cuts += cut.length;
      for (const proxy of cut) proxy?.cut();
      await log(fleet.simulated.length);
      for (const proxy of cut) proxy?.heal();
      catchUps.push(await fleet.caughtUp());
    }
    say(`round ${round + 1} of ${size.rounds}`);
  }
  await Promise.all(sent);
  return { commands, hubKills, cuts, catchUps, messages, machineKills: realKills + doomed.size };
}

/** Counts how often the practice agent's own log has the message. */
const arrivals = ({ target, agentId, mark }: SentMessage): number => target.baton.accepted(agentId, mark);

async function judgeEnd(fleet: Fleet, broker: NatsConnection) {
  for (const machine of fleet.real) await machine.rememberEnd();
  await fleet.caughtUp();
  // Send repeated events, and an event after a gap, only now, when all machines have reported everything. If the hub
  // accepted such an event, the machine could not continue its log. Choose a machine with at least two events, because
  // this test repeats the first two.
  const [busy] = fleet.simulated;
  if (busy === undefined) throw new Error('the fleet has no simulated machine');
  const repeats = await repeatEvents(fleet, busy);
  const logs = await judgeLogs(fleet, broker);
  await broker.close();
  return { logs, repeats };
}
