import { type Command, InvalidArgumentError } from 'commander';
import { agentName, define, group, idNumber, type Kit, personaInPath } from '../command-kit.ts';
import type { PolicyOptions, PolicyPlace } from './policies.ts';

export function addPolicyCommands({ program, run }: Kit): void {
  const policy = group(program, 'policy', 'whether Baton hands agents off without a click: off, suggest or auto');
  define(policy, 'list', {
    summary: 'list the handoff policies and the automatic handoffs that are under way',
    example: 'baton policy list',
  }).action(() => run(async (cli) => (await import('./policies.ts')).listPolicies(cli)));
  define(policy, 'show', {
    summary: 'show which handoff policy applies to an agent, and where it is set',
    example: 'baton policy show 3',
  })
    .argument('<agent>', 'the agent: its number, or the name of its persona', agentName)
    .action((agent: string) => run(async (cli) => (await import('./policies.ts')).showPolicy(cli, agent)));
  places(
    define(policy, 'set', {
      summary: 'set the handoff policy of an agent, a persona or a project; the nearest one counts',
      example: 'baton policy set auto --persona con --idle 2m --countdown 1m --per-day 5',
    }).argument('<mode>', 'off: suggest nothing; suggest (default): suggest a handoff; auto: begin it by itself'),
  )
    .option('--idle <time>', 'how long the agent must be idle first, such as 90s or 2m (default: 60s)', time(0, DAY))
    .option('--countdown <time>', 'how long you can cancel or snooze it (default: 2m)', time(1, DAY))
    .option('--review', 'wait for your approval of each document')
    .option('--quiet-hours', 'hand off in quiet hours as well')
    .option('--per-day <n>', 'at most this many automatic handoffs of a persona on one day (default: 10)', dailyNumber)
    .action((mode: string, given: PolicyPlace & PolicyOptions) =>
      run(async (cli) => (await import('./policies.ts')).setPolicy(cli, mode, given)),
    );
  places(
    define(policy, 'unset', {
      summary: 'remove the handoff policy of an agent, a persona or a project',
      example: 'baton policy unset --persona con',
    }),
  ).action((given: PolicyPlace) => run(async (cli) => (await import('./policies.ts')).unsetPolicy(cli, given)));
  define(policy, 'cancel', {
    summary: 'cancel the automatic handoff of an agent until its context use falls below the threshold',
    example: 'baton policy cancel 3',
  })
    .argument('<agent>', 'the agent: its number, or the name of its persona', agentName)
    .action((agent: string) => run(async (cli) => (await import('./policies.ts')).cancelCountdown(cli, agent)));
  define(policy, 'snooze', {
    summary: 'postpone the automatic handoff of an agent',
    example: 'baton policy snooze 3 --for 1h',
  })
    .argument('<agent>', 'the agent: its number, or the name of its persona', agentName)
    .option('--for <time>', 'how long, such as 90m or 2h; 1m to 7 days (default: 30m)', time(60, 7 * DAY))
    .action((agent: string, { for: seconds = 1800 }: { for?: number }) =>
      run(async (cli) => (await import('./policies.ts')).snoozeCountdown(cli, agent, seconds)),
    );
}

/** Parses the maximum number of automatic handoffs per day. Refuses a number that the server would refuse. */
function dailyNumber(text: string): number {
  const number = idNumber(text);
  if (number > 1000) throw new InvalidArgumentError('Use a whole number from 1 to 1000.');
  return number;
}

const places = (command: Command): Command =>
  command
    .option('--agent <agent>', 'for this agent and its successors', agentName)
    .option('--persona <persona>', 'for all agents of this persona', personaInPath)
    .option('--project <project>', 'for all agents of this project: its folder or id');

const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600 };

const DAY = 86_400;

/**
 * Returns a parser for durations such as 90s, 2m or 1h; a plain number means seconds. The parser refuses a duration
 * outside the limits, because an error of the server could not name the option.
 */
const time =
  (min: number, max: number) =>
  (text: string): number => {
    const [, count, unit = ''] = /^(\d{1,6})([smh]?)$/.exec(text) ?? [];
    if (count === undefined) throw new InvalidArgumentError('Use a duration such as 90s, 2m or 1h.');
    const seconds = Number(count) * (UNITS[unit] ?? 1);
    if (seconds < min || seconds > max)
      throw new InvalidArgumentError(`Use a duration from ${inWords(min)} to ${inWords(max)}.`);
    return seconds;
  };

const inWords = (seconds: number): string =>
  seconds >= 3600 ? `${seconds / 3600}h` : seconds >= 60 ? `${seconds / 60}m` : `${seconds}s`;
