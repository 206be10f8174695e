import { type Command, InvalidArgumentError, Option } from 'commander';
import { isMachineName } from '../../../contract/words/machine-commands.ts';
import { nameOf } from '../agents-shell.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { ID_PARSERS } from '../command-kit.ts';

/** An argument that is an id, as the operator typed it, such as `3` or `laptop/3`. */
interface GivenId {
  readonly word: string;
  /** The machine in front of the id; absent if the operator typed only the id. */
  readonly machine?: string;
}

const ON_MACHINE = /^([a-z0-9][a-z0-9-]{0,30})\/(.+)$/is;

/**
 * Lets every command accept `--machine NAME`, and ids with a machine, such as laptop/3. Leaves other arguments (texts,
 * paths) and the values of options unchanged. The returned function takes a parsed command, and returns the machine
 * that the command is for.
 */
export function acceptMachines(program: Command): (command: Command) => string | undefined {
  const named = new Set<string>();
  const ids: GivenId[] = [];
  const takeName = (text: string): void => void named.add(machineName(text));
  const takeId = (word: string): string => {
    const [, machine, id = word] = ON_MACHINE.exec(word) ?? [];
    ids.push(machine === undefined ? { word } : { word, machine: machine.toLowerCase() });
    return id;
  };
  for (const command of allCommands(program)) {
    command.addOption(new Option('--machine <name>', 'use the command on this machine').hideHelp().argParser(takeName));
    for (const argument of command.registeredArguments) {
      const { parseArg } = argument;
      if (parseArg !== undefined && ID_PARSERS.has(parseArg))
        argument.argParser((word, before) => parseArg(takeId(word), before));
    }
  }
  return (command) => {
    // Remove the machine from the options, because some actions send all their options to the API.
    command.setOptionValue('machine', undefined);
    const [first] = named;
    const places = new Set([...named, ...ids.map(({ machine }) => machine ?? first)]);
    if (places.size > 1) throw severalMachines(command, [...named], ids);
    return [...places][0];
  };
}

function* allCommands(command: Command): Generator<Command> {
  yield command;
  for (const each of command.commands) yield* allCommands(each);
}

function machineName(text: string): string {
  const name = text.trim().toLowerCase();
  if (!isMachineName(name)) throw new InvalidArgumentError('Use the name of a machine; see: baton fleet status');
  return name;
}

function severalMachines(command: Command, named: readonly string[], ids: readonly GivenId[]): CliFault {
  const places = [...named.map((name) => `--machine ${name}`), ...ids.map(({ word }) => word)];
  const isMixed = named.length === 0 && ids.some(({ machine }) => machine === undefined);
  const why = isMixed ? '; an id without a machine is of this machine' : '';
  return new CliFault(
    `The command names objects of several machines (${places.join(', ')}${why}), so nothing was done.`,
    {
      code: 'usage',
      hint: `Use one command for each machine, such as: baton ${nameOf(command)} ${ids.find(({ machine }) => machine !== undefined)?.word ?? `--machine ${named[0]}`}`,
      exitCode: EXIT.usage,
    },
  );
}
