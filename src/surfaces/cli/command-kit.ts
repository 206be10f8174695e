import { type Command, InvalidArgumentError } from 'commander';
import { plainWord } from '../../contract/words/plain-word.ts';
import type { Work } from './cli.ts';

/**
 * The arguments of a function that defines commands: the Commander program, and the function that runs the chosen
 * command.
 */
export interface Kit {
  readonly program: Command;
  readonly run: (work: Work) => Promise<void>;
}

export interface About {
  readonly summary: string;
  readonly example: string;
  /** True if help and completion omit the command. A hidden command can still be used. */
  readonly hidden?: boolean;
  /** True if this is the default command of its group: it runs when the user types only the group. */
  readonly isDefault?: boolean;
}

/**
 * Defines a command. The action of a command is loaded only when the command runs, so that --help and completion stay
 * fast.
 */
export function define(
  parent: Command,
  usage: string,
  { summary, example, hidden = false, isDefault = false }: About,
): Command {
  return pointing(parent.command(usage, { hidden, isDefault }))
    .description(summary)
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', `\nExample:\n  $ ${example}`);
}

/**
 * Refuses an option together with its opposite, such as `--persona Con --no-persona`. Commander would silently use only
 * the option that was typed last.
 */
export function refuseBoth(command: Command, name: string): Command {
  const given = new Set<string>();
  for (const each of [name, `no-${name}`])
    command.on(`option:${each}`, () => {
      if (given.add(each).size > 1)
        command.error(`error: --${name} and --no-${name} exclude each other; give one of them`);
    });
  return command;
}

export function group(parent: Command, name: string, summary: string, { hidden = false } = {}): Command {
  return pointing(parent.command(name, { hidden })).description(summary);
}

/**
 * Adds a hint to every usage error of a command: the command that prints the help, such as `baton agent start --help`.
 */
function pointing(command: Command): Command {
  const names: string[] = [];
  for (let each: Command | null = command; each !== null; each = each.parent) names.unshift(each.name());
  return command.showHelpAfterError(`(see: ${names.join(' ')} --help)`);
}

export function wholeNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) throw new InvalidArgumentError('Use a whole number.');
  return number;
}

/** Parses the id of an agent, a run or an inbox item. */
export function idNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw new InvalidArgumentError('Use a whole number, 1 or greater.');
  return Number(text);
}

const MAX_NAME = 200;

/**
 * Parses an agent's number, or the name or slug of its persona. Does not check that the agent exists; the server finds
 * the agent by the number or the name.
 */
export function agentName(text: string): string {
  if (/^[-+.\d]*$/.test(text)) return String(idNumber(text));
  return inPath(text, "Use an agent's number or the name of its persona; see: baton agent list");
}

/**
 * Parses the numbers or names of several agents. Commander calls this function once for each argument, and passes the
 * agents parsed so far as `before`.
 */
export const agentNames = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  agentName(text),
];

/** Parses the slug or the name of a persona. */
export function personaName(text: string): string {
  if (!/[\p{L}\p{N}]/u.test(text) || text.length > MAX_NAME) throw new InvalidArgumentError(NO_PERSONA);
  return text;
}

/** Parses the slug or the name of a persona, and encodes it for a URL path. */
export const personaInPath = (text: string): string => inPath(text, NO_PERSONA);

const NO_PERSONA = "Use a persona's slug or name; see: baton persona list";

/** Makes the text safe for a URL path. In a path the server accepts only letters, digits and . _ - */
function inPath(text: string, problem: string): string {
  const part = /^\w[\w.-]*$/.test(text) ? text : plainWord(text);
  if (part === '' || part.length > MAX_NAME) throw new InvalidArgumentError(problem);
  return part;
}

/** Parses a persona's slug, for a command that does not accept the persona's name. */
export function personaSlug(text: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,80}$/.test(text))
    throw new InvalidArgumentError('Use a slug such as developer-con-1; see: baton persona list');
  return text;
}

export function packageId(text: string): string {
  if (!/^HO-(\d{4}-)?\d{3,}$/.test(text))
    throw new InvalidArgumentError('Use the id of a package such as HO-2026-001; see: baton package list');
  return text;
}

/** The parsers of arguments that are ids. Such an argument may also contain the name of a machine, as in laptop/3. */
export const ID_PARSERS: ReadonlySet<unknown> = new Set([idNumber, agentName, agentNames, packageId]);

/** Collects the values of an option that may be given several times. */
export const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];
