import type { Argument, Command, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import { operatorClient } from '../client/operator-client.ts';
import { plainLine } from '../output/plain-text.ts';
import { SERVER_VALUES, type Value } from './server-values.ts';
import { kindOfArgument, kindOfOption, type ValueKind } from './value-kinds.ts';

/** How long completion waits for the server. The time is short, because a person waits at the Tab key. */
const PATIENCE_MS = 1000;
/** Matches values that completion may print. Other values are left out, because a shell would expand or split them. */
const SAFE = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;

/**
 * Prints the values that can replace the last word of the command line, one per line, each followed by a tab and its
 * summary. Prints nothing if no server runs, because an error message would appear in the operator's command line.
 */
export async function completeWords(cli: Cli, program: Command, words: readonly string[]): Promise<number> {
  const values = await valuesFor(cli, program, words);
  if (cli.json) cli.out.json({ values });
  else for (const { value, summary } of values) cli.out.print(`${value}\t${plainLine(summary)}`);
  return EXIT.done;
}

async function valuesFor({ deps }: Cli, program: Command, words: readonly string[]): Promise<readonly Value[]> {
  const place = placeOf(program, words.slice(0, -1));
  if (place?.kind === undefined) return [];
  try {
    const api = operatorClient(deps, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const values = await SERVER_VALUES[place.kind](api);
    return values.filter(({ value }) => SAFE.test(value) && isAccepted(place.of, value));
  } catch {
    return [];
  }
}

interface WordPlace {
  readonly of: Argument | Option;
  readonly kind: ValueKind | undefined;
}

/** Returns the option or argument whose value is the word that follows `words`. Returns undefined if there is none. */
function placeOf(program: Command, words: readonly string[]): WordPlace | undefined {
  let command = program;
  let position = 0;
  let open: Option | undefined;
  for (const word of words) {
    if (open !== undefined) open = undefined;
    else if (word.startsWith('-'))
      open = command.options.find(({ long, short, required }) => required && (long === word || short === word));
    else {
      const next = position > 0 ? undefined : command.commands.find((each) => isCalled(each, word));
      if (next === undefined) position += 1;
      else command = next;
    }
  }
  if (open !== undefined) return { of: open, kind: kindOfOption(open) };
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[position] ?? (last?.variadic ? last : undefined);
  return argument && { of: argument, kind: kindOfArgument(command, argument) };
}

const isCalled = (command: Command, word: string): boolean =>
  command.name() === word || command.aliases().includes(word);

/** Returns whether the option or argument accepts the value. For example, some options accept only numbers. */
function isAccepted({ parseArg }: Argument | Option, value: string): boolean {
  try {
    parseArg?.(value, undefined);
    return true;
  } catch {
    return false;
  }
}
