import { type Command, CommanderError } from 'commander';
import { commandsOn } from '../../contract/words/machine-commands.ts';
import { nameOf, refuseInAgentsShell } from './agents-shell.ts';
import { buildProgram } from './build-program.ts';
import type { Work } from './cli.ts';
import type { CliDeps } from './cli-deps.ts';
import { CliFault, EXIT } from './cli-fault.ts';
import { acceptMachines } from './fleet/named-machine.ts';
import { errnoWordsWithPath } from './output/errno-words.ts';
import { Output } from './output/output.ts';
import { keepGoodSuggestions } from './suggestion.ts';

export type { CliDeps, Writer } from './cli-deps.ts';

/** Runs one command and resolves to its exit code; never ends the process. `argv` excludes the program's own name. */
export async function runCli(argv: readonly string[], local: CliDeps): Promise<number> {
  let deps = local;
  const out = new Output(local);
  const json = wantsJson(argv);
  let exitCode: number = EXIT.done;
  const run = async (work: Work): Promise<void> => {
    exitCode = await work({ deps, out, json });
  };
  try {
    const program = buildProgram(local, run, json);
    const machineFor = acceptMachines(program);
    await program
      .hook('preAction', (_, command) => {
        refuseInAgentsShell(local, command, argv);
        const machine = machineFor(command);
        if (machine === undefined) return;
        refuseLocalCommand(machine, command);
        deps = { ...local, machine };
      })
      .parseAsync(helpOfCommand(argv), { from: 'user' });
    return exitCode;
  } catch (error) {
    out.clearPassing();
    if (error instanceof CommanderError) return afterCommander(error, out, json);
    const fault = error instanceof CliFault ? error : unforeseen(error);
    return tellFault(deps.machine === undefined ? fault : withMachine(fault, deps.machine), out, json);
  }
}

/**
 * Turns `help agent send` into `agent send --help`. Commander's own command `help` takes one name only, and would print
 * the help of the whole group.
 */
const helpOfCommand = (argv: readonly string[]): string[] =>
  argv[0] === 'help' && argv.length > 2 ? [...argv.slice(1), '--help'] : [...argv];

/**
 * Checks for --json before the command line is parsed, because with --json even errors in the command line are printed
 * as JSON.
 */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? undefined : end).includes('--json');
}

/**
 * The commands that can act only on the machine on which they run. The option --machine is refused for these commands.
 */
const LOCAL: ReadonlySet<string> = new Set([
  ...['ack', 'backup', 'completion', 'config', 'demo', 'doctor', 'export', 'hooks', 'lint', 'logs', 'mcp', 'open'],
  ...['purge', 'rebuild', 'restore', 'service', 'start', 'stop', 'up'],
]);

/** Throws if the command would ignore --machine and act on this machine instead of the named one. */
function refuseLocalCommand(machine: string, command: Command): void {
  const [root = ''] = nameOf(command).split(' ');
  if (!LOCAL.has(root)) return;
  throw new CliFault(`baton ${root} can be used only on the machine itself, so nothing was done.`, {
    code: 'local_command',
    hint: `Run this command on ${machine} itself, without the option --machine.`,
    exitCode: EXIT.usage,
  });
}

function afterCommander(error: CommanderError, out: Output, json: boolean): number {
  if (error.exitCode === 0) return EXIT.done;
  if (json) out.json({ error: keepGoodSuggestions(error.message).replace(/^error: /, ''), code: 'usage' });
  return EXIT.usage;
}

/**
 * Turns an error of the environment, such as an unreadable folder, into a CliFault. Rethrows an error that shows a bug
 * in Baton.
 */
function unforeseen(error: unknown): CliFault {
  const isMistake = [TypeError, ReferenceError, RangeError].some((kind) => error instanceof kind);
  if (isMistake || !(error instanceof Error)) throw error;
  return new CliFault(errnoWordsWithPath(error), { code: 'fault', hint: 'Find the cause: baton doctor' });
}

/**
 * If a command failed on another machine, adds that machine's name to the commands in the fault's sentence and hint.
 */
function withMachine({ body, exitCode }: CliFault, machine: string): Pick<CliFault, 'body' | 'exitCode'> {
  const { error, hint } = body;
  const named = hint === undefined ? {} : { hint: commandsOn(machine, hint) };
  return { body: { ...body, error: commandsOn(machine, error), ...named }, exitCode };
}

function tellFault({ body, exitCode }: Pick<CliFault, 'body' | 'exitCode'>, out: Output, json: boolean): number {
  if (json) {
    out.json(body);
    return exitCode;
  }
  out.note(body.error);
  if (body.hint !== undefined) out.note(body.hint);
  return exitCode;
}
