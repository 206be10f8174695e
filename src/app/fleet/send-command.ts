import { COMMAND_LIFE_MS, clockUnknown, type FleetCommand } from '../../domain/fleet/command.ts';
import { memberNamed } from '../../domain/fleet/member.ts';
import { presenceOf } from '../../domain/fleet/presence.ts';
import { after, durationInWords } from '../../domain/instant.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { errorMessage } from '../error-message.ts';
import { type FleetLink, HubRefusal } from '../ports/fleet/fleet-link.ts';
import { ageOf, type Follower } from './follow-fleet.ts';
import type { HubClock } from './hub-clock.ts';
import { type FleetContext, purposes, readRoster } from './membership.ts';
import type { CommandAnswer, RecordedAnswer } from './take-commands.ts';

/**
 * How long the sender of a command waits for the answer. The time must be enough for a command that sends a message,
 * because the other machine may wait 8 s for the receipt of the message.
 */
const ANSWER_MS = 25_000;

/**
 * How long the sender waits for the answer of a machine that counts as away, because that machine may have just come
 * back.
 */
const AWAY_ANSWER_MS = 5_000;

export type RemoteRequest = Pick<FleetCommand, 'method' | 'route' | 'query' | 'body' | 'operator'>;

export type CommandSender = (machine: string, request: RemoteRequest) => Promise<CommandAnswer | Refusal>;

/** Returns a function that sends a request of this machine's operator to another machine and waits for its answer. */
export function createCommandSender(
  context: FleetContext,
  link: FleetLink,
  { clock, follower }: { clock: HubClock; follower: Follower },
): CommandSender {
  const { ports, transport, keys, membership, heartbeatMs } = context;

  /**
   * Returns in words how long ago the machine last reported, if the machine counts as away. Returns undefined if it
   * does not count as away.
   */
  const awayFor = (machine: string): string | undefined => {
    const ageMs = ageOf(follower.heardAt(machine), ports.clock.now(), clock.offsetMs());
    const heard = { ageMs, isConnected: link.isConnected(), isWhole: follower.isWhole(machine) };
    return ageMs !== null && presenceOf(heard, heartbeatMs) === 'away' ? durationInWords(ageMs) : undefined;
  };

  return async (machine, request) => {
    const roster = ports.store.read(readRoster);
    if (machine === membership.machine) return isThisMachine(machine);
    const target = memberNamed(roster, machine);
    if (target === undefined) return machineNotFound(machine);
    const refusal = request.method === 'POST' ? refuseViewer(memberNamed(roster, membership.machine)?.role) : undefined;
    if (refusal !== undefined) return refusal;
    if (!link.isConnected()) return hubUnreachable(membership.hub);
    const time = await clock.ask();
    if (time === undefined) return clockUnknown(membership.machine);
    const command: FleetCommand = {
      id: ports.chance.uuid(),
      machine,
      from: membership.machine,
      ...request,
      issued_at: time.now,
      expires_at: after(time.now, COMMAND_LIFE_MS),
    };
    const sealed = keys.sign(purposes.command(machine), JSON.stringify(command));
    if (request.method === 'POST') return awaitAnswer(command, () => link.sendCommand(machine, sealed));
    const reply = await link.ask(machine, sealed).catch(() => undefined);
    if (reply === undefined) return notShown(machine, awayFor(machine));
    if (!transport.verify(target.key, purposes.reply(command.id), reply))
      return {
        code: 'bad_signature',
        sentence: `Baton ignored an answer in the name of ${machine}, because the answer has no valid signature`,
        hint: 'Try again. If it happens again, see: baton fleet status',
      };
    return JSON.parse(reply.text) as CommandAnswer;
  };

  async function awaitAnswer(command: FleetCommand, send: () => Promise<void>): Promise<CommandAnswer | Refusal> {
    const { id, machine } = command;
    const away = awayFor(machine);
    const find = (): CommandAnswer | Refusal | undefined => {
      const found = ports.store.read((tx) => tx.fleetObject({ machine, kind: 'command', id }));
      if (found === undefined) return undefined;
      const answer = JSON.parse(found.body) as RecordedAnswer;
      // Check that the recorded answer belongs to a command of this machine: another machine may have used the same
      // command id. Do not check the route, because the answering machine may have redacted it.
      return answer.from === command.from ? answer : idUsedBefore(machine, answer);
    };
    return new Promise((resolve) => {
      const end = (answer: CommandAnswer | Refusal): void => {
        cancel();
        unfollow();
        resolve(isRefusal(answer) || answer.body !== null ? answer : answerLost(machine));
      };
      const look = (): void => {
        const found = find();
        if (found !== undefined) end(found);
      };
      const unfollow = follower.onStored(look);
      const cancel = ports.clock.after(away === undefined ? ANSWER_MS : AWAY_ANSWER_MS, () =>
        end(noAnswer(command, away)),
      );
      // If the hub refused the command, no machine performed it. After any other error, the hub may have received the
      // command, so the outcome is unknown.
      send().catch((error: unknown) => {
        ports.log.info(`the hub did not confirm the command ${id}: ${errorMessage(error)}`);
        end(error instanceof HubRefusal ? hubRefused(command, error.message) : noAnswer(command, away));
      });
    });
  }
}

export const machineNotFound = (machine: string): Refusal => ({
  code: 'machine_not_found',
  sentence: `The fleet has no machine "${machine}"`,
  hint: 'See: baton fleet status',
});

export const isThisMachine = (machine: string): Refusal => ({
  code: 'bad_request',
  sentence: `${machine} is this machine, and not another machine of the fleet`,
  hint: 'To use this machine, repeat the command without the name of a machine.',
});

const hubUnreachable = ({ host, port }: { host: string; port: number }): Refusal => ({
  code: 'hub_unreachable',
  sentence: `Baton is not connected to the hub at ${host}:${port}, so the command was not sent`,
  hint: 'See: baton fleet status',
});

const hubRefused = ({ machine }: FleetCommand, why: string): Refusal => ({
  code: 'hub_unreachable',
  sentence: `The hub did not store the command, so ${machine} does not get it: ${why}`,
  hint: 'On the hub, check that the disk has space. Then give the command again.',
});

/**
 * The refusal of a request for data if the other machine does not answer. If that machine is away, `away` says how long
 * ago it last reported.
 */
const notShown = (machine: string, away: string | undefined): Refusal => ({
  code: 'machine_no_answer',
  sentence:
    away === undefined
      ? `${machine} does not answer now, so Baton cannot show its data`
      : `${machine} is away: it last reported ${away} ago, and only ${machine} itself can show the requested data`,
  hint: `Check that Baton runs on ${machine}, then try again. Its last known agents: baton agent list --machine ${machine}`,
});

const noAnswer = ({ machine }: FleetCommand, away: string | undefined): Refusal => ({
  code: 'machine_no_answer',
  sentence: `${away === undefined ? `${machine} has` : `${machine} is away: it last reported ${away} ago and has`} not answered yet. It may still perform the command during the next ${durationInWords(COMMAND_LIFE_MS)}; after that it refuses the command`,
  hint: `Look at the machine before you give the command again: baton agent list --machine ${machine}`,
});

const answerLost = (machine: string): Refusal => ({
  code: 'machine_answer_lost',
  sentence: `${machine} performed the command, but its answer was too long to send`,
  hint: `See the result on ${machine} before you give the command again.`,
});

/**
 * The refusal of a command with an id that another machine has used before. A machine performs only one command with
 * the same id, so it did not perform this command.
 */
const idUsedBefore = (machine: string, { from }: RecordedAnswer): Refusal => ({
  code: 'key_reused',
  sentence: `${machine} did not perform the command: it already has a command with the same id from ${from}`,
  hint: 'Give the command again. It gets a new id.',
});

const refuseViewer = (role: string | undefined): Refusal | undefined =>
  role === 'operator'
    ? undefined
    : {
        code: 'viewer_only',
        sentence: 'This machine may only look at the other machines of its fleet',
        hint: 'To let this machine send commands, invite it again on the hub with --role operator --replace',
      };
