import { type Instant, msBetween, utcTime } from '../instant.ts';
import type { Refusal } from '../refusals.ts';
import { memberNamed, type Roster } from './member.ts';

/** A request from the operator of one machine to another machine, in the form that the sending machine signs. */
export interface FleetCommand {
  readonly id: string;
  /** The machine that performs the command. */
  readonly machine: string;
  /** The machine that sent the command and signed it. */
  readonly from: string;
  readonly method: 'GET' | 'POST';
  /** The path of the route with its parameters, such as /api/agents/3/handoff. */
  readonly route: string;
  readonly query: string;
  readonly body: unknown;
  /** The time at which the command was issued, by the hub's clock. */
  readonly issued_at: Instant;
  readonly expires_at: Instant;
  /** Where the operator gave the command: on the page or on the command line of the sending machine. */
  readonly operator: 'page' | 'cli';
}

/**
 * How long a command is valid. After that, other machines refuse the command, because the operator no longer expects it
 * to take effect.
 */
export const COMMAND_LIFE_MS = 120_000;

/** The maximum lifetime of a command that a machine accepts, whatever the sender says. */
const MAX_COMMAND_LIFE_MS = 600_000;

/**
 * How far the issue time of a command may be ahead of the hub's time. Some tolerance is needed, because a machine knows
 * the hub's time only with an error of half a round trip.
 */
const MAX_AHEAD_MS = 10_000;

export interface CommandWorld {
  readonly self: string;
  readonly roster: Roster;
  /** The hub's time; undefined if this machine does not know it. */
  readonly hubNow: Instant | undefined;
  /** Whether the machine accepts commands. */
  readonly takesCommands: boolean;
  /** Returns whether the exact text of the command was signed with this key. */
  readonly isSignedBy: (key: string) => boolean;
}

/**
 * Returns the reason why a command must not be performed. Returns undefined if it may be performed. The sender and the
 * signature are checked first, so that the refusal of an unsigned command reveals nothing about this machine's state.
 */
export function refuseCommand(command: FleetCommand, world: CommandWorld): Refusal | undefined {
  const { self, roster, hubNow, takesCommands } = world;
  const sender = memberNamed(roster, command.from);
  if (sender === undefined)
    return { code: 'not_a_member', sentence: `${command.from} is not a machine of this fleet, so ${self} did nothing` };
  if (!world.isSignedBy(sender.key))
    return {
      code: 'bad_signature',
      sentence: `A command in the name of ${command.from} has no valid signature, so ${self} did nothing`,
    };
  if (command.machine !== self)
    return { code: 'bad_signature', sentence: `The command is for ${command.machine}, so ${self} did nothing` };
  if (command.method === 'POST' && sender.role !== 'operator')
    return {
      code: 'viewer_only',
      sentence: `${command.from} may only look at the machines of this fleet, so ${self} did nothing`,
      hint: `To let that machine send commands, invite it again on the hub: baton fleet invite ${command.from} --role operator --replace`,
    };
  if (command.method === 'POST' && !takesCommands)
    return {
      code: 'commands_off',
      sentence: `${self} takes no commands from other machines`,
      hint: `Use the page or the command line on ${self}, or set "fleet": {"commands": "on"} in its config.json.`,
    };
  return hubNow === undefined ? clockUnknown(self) : refuseTime(command, hubNow);
}

export const clockUnknown = (self: string): Refusal => ({
  code: 'hub_time_unknown',
  sentence: `${self} did nothing: it does not know the hub's time, so the command may have expired`,
  hint: 'Check that Baton runs on the hub: baton fleet status',
});

function refuseTime({ machine, issued_at, expires_at }: FleetCommand, hubNow: Instant): Refusal | undefined {
  const life = msBetween(issued_at, expires_at);
  if (!(life > 0 && life <= MAX_COMMAND_LIFE_MS) || msBetween(hubNow, issued_at) > MAX_AHEAD_MS)
    return {
      code: 'command_expired',
      sentence: `${machine} did nothing, because the command has invalid times: issued at ${utcTime(issued_at)}, expires at ${utcTime(expires_at)}`,
    };
  if (hubNow >= expires_at)
    return {
      code: 'command_expired',
      sentence: `The command reached ${machine} too late: it expired at ${utcTime(expires_at)}. Nothing was done`,
      hint: 'Give the command again if you still want it.',
    };
  return undefined;
}
