import type { LaunchScript } from '../../app/ports/agent-files.ts';
import { shellQuote } from './shell-quote.ts';

/**
 * A script instead of tmux arguments: tmux would expand #(…) in a working directory, its session environment would
 * leak the token to later splits, and `ps` would show it to other users. The agent replaces the shell, so there is no
 * shell to fall back to.
 */
export function launchScript({ cwd, argv, env, unsetEnv }: LaunchScript, binFolder: string): string {
  const exports = Object.entries(env).map(([key, value]) => `export ${key}=${shellQuote(value)}`);
  return [
    '#!/bin/sh',
    `cd ${shellQuote(cwd)} || exit 97`,
    ...unsetEnv.map((key) => `unset ${key}`),
    ...exports,
    `export PATH=${shellQuote(binFolder)}:"$PATH"`,
    `exec ${argv.map(shellQuote).join(' ')}`,
    '',
  ].join('\n');
}
