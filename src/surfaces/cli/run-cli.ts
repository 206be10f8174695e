import { CommanderError } from 'commander';
import { refuseInAgentsShell } from './agents-shell.ts';
import { buildProgram } from './build-program.ts';
import type { Work } from './cli.ts';
import type { CliDeps } from './cli-deps.ts';
import { CliFault, EXIT } from './cli-fault.ts';
import { Output } from './output/output.ts';

export type { CliDeps, Writer } from './cli-deps.ts';

/** Runs one command and resolves to its exit code; never ends the process. `argv` excludes the program's own name. */
export async function runCli(argv: readonly string[], deps: CliDeps): Promise<number> {
  const out = new Output(deps);
  const json = wantsJson(argv);
  let exitCode: number = EXIT.done;
  const run = async (work: Work): Promise<void> => {
    exitCode = await work({ deps, out, json });
  };
  try {
    await buildProgram(deps, run, json)
      .hook('preAction', (_, command) => refuseInAgentsShell(deps, command, argv))
      .parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    out.clearPassing();
    if (error instanceof CommanderError) return afterCommander(error, out, json);
    return tellFault(error instanceof CliFault ? error : unforeseen(error), out, json);
  }
}

/** Checks for --json before the command line is parsed, because parse errors are reported as JSON, too. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? undefined : end).includes('--json');
}

function afterCommander(error: CommanderError, out: Output, json: boolean): number {
  if (error.exitCode === 0) return EXIT.done;
  if (json) out.json({ error: error.message.replace(/^error: /, ''), code: 'usage' });
  return EXIT.usage;
}

/** Turns an error such as an unreadable folder into a CliFault. Rethrows a bug in Baton with its stack trace. */
function unforeseen(error: unknown): CliFault {
  const isMistake = [TypeError, ReferenceError, RangeError].some((kind) => error instanceof kind);
  if (isMistake || !(error instanceof Error)) throw error;
  return new CliFault(error.message, { code: 'fault', hint: 'Find the cause: baton doctor' });
}

function tellFault({ body, exitCode }: CliFault, out: Output, json: boolean): number {
  if (json) {
    out.json(body);
    return exitCode;
  }
  out.note(body.error);
  if (body.hint !== undefined) out.note(body.hint);
  return exitCode;
}
