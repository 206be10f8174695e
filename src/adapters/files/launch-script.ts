import type { LaunchScript } from '../../app/ports/files/agent-files.ts';
import { LAUNCH_SCRIPT_EXITS as EXIT } from '../../domain/agents/program-end.ts';
import { shellQuote } from '../../domain/shell-quote.ts';

export interface LaunchPlaces {
  readonly bin: string;
  /** Path of the file with `launchEnvironment`. */
  readonly environment: string;
}

/**
 * The agent is started by a script and not by tmux arguments, because tmux would expand #(…) in a working directory,
 * its session environment would leak the token to later splits, and `ps` would show the token to other users. The
 * variables are in a separate file, which is deleted before the agent runs. The agent replaces the shell, so no shell
 * is left when the agent ends.
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
    `exec ${argv.map(shellQuote).join(' ')}`,
    '',
  ].join('\n');
}

/** Prints the reason as the last line, which Baton reports (`endInWords`). */
const giveUp = (why: string, code: number): string => `{ printf '%s\\n' ${shellQuote(why)} >&2; exit ${code}; }`;

/** Sets the agent's variables, and unsets variables of the pane that the agent must not have. */
export const launchEnvironment = ({ env, unsetEnv }: LaunchScript): string =>
  [
    // A `tmux` that the agent runs must start its own server, not reach the one that Baton's agents run in.
    ...['TMUX', 'TMUX_PANE', ...unsetEnv].map((key) => `unset ${key}`),
    ...Object.entries(env).map(([key, value]) => `export ${key}=${shellQuote(value)}`),
    '',
  ].join('\n');
