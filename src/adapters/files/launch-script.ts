import type { LaunchScript } from '../../app/ports/files/agent-files.ts';
import { LAUNCH_SCRIPT_EXITS as EXIT } from '../../domain/agents/program-end.ts';
import { shellQuote } from '../../domain/shell-quote.ts';

export interface LaunchPlaces {
  readonly bin: string;
  /** The path of the file with the agent's variables. `launchEnvironment` writes the content of this file. */
  readonly environment: string;
}

/**
 * Returns a script that starts the agent. It would be less safe to pass everything to tmux as arguments: tmux would
 * expand #(…) in a working directory, and `ps` would show the token. The script reads the variables from a file, and
 * deletes the file before the agent runs.
 */
export function launchScript({ cwd, argv }: LaunchScript, { bin, environment }: LaunchPlaces): string {
  const file = shellQuote(environment);
  const [program = ''] = argv;
  return [
    '#!/bin/sh',
    `[ -d ${shellQuote(cwd)} ] || ${giveUp(`the folder ${cwd} does not exist`, EXIT.noFolder)}`,
    `cd ${shellQuote(cwd)} || ${giveUp(`this user may not enter the folder ${cwd}`, EXIT.noFolder)}`,
    `[ -r ${file} ] || ${giveUp("the file with the agent's environment variables is missing", EXIT.noVariables)}`,
    `. ${file}`,
    `rm -f ${file} 2>/dev/null || command -p rm -f ${file}`,
    `export PATH=${shellQuote(bin)}:"$PATH"`,
    `command -v ${shellQuote(program)} >/dev/null || ${giveUp(`the program ${program} does not exist or cannot be run`, EXIT.noProgram)}`,
    // The agent replaces the shell, so that no shell is left when the agent ends.
    `exec ${argv.map(shellQuote).join(' ')}`,
    '',
  ].join('\n');
}

/**
 * Returns the shell code that prints why the agent cannot start, and exits. Baton shows this last line of the script's
 * output to the operator (`endInWords`).
 */
const giveUp = (why: string, code: number): string => `{ printf '%s\\n' ${shellQuote(why)} >&2; exit ${code}; }`;

/**
 * Returns the shell code that sets the agent's variables, and unsets variables of the pane that the agent must not
 * have.
 */
export const launchEnvironment = ({ env, unsetEnv }: LaunchScript): string =>
  [
    // A `tmux` that the agent runs must start its own server, and must not reach the server in which Baton's agents
    // run.
    ...['TMUX', 'TMUX_PANE', ...unsetEnv].map((key) => `unset ${key}`),
    ...Object.entries(env).map(([key, value]) => `export ${key}=${shellQuote(value)}`),
    '',
  ].join('\n');
