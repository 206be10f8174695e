import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellQuote } from '../../domain/shell-quote.ts';

/** The variable through which the `baton` command in `<home>/bin` tells Baton to which home the command belongs. */
export const COMMAND_HOME = 'BATON_COMMAND_HOME';

/**
 * Writes the `baton` command in `<home>/bin`. The command is first on the agents' PATH and runs the Baton that started
 * the agents.
 *
 * The command does not change BATON_HOME, because the operator may also have this folder on the PATH. `chooseHome`
 * decides which home is used.
 */
export function writeShim(binFolder: string, self: readonly string[], homePath: string): void {
  const script = `#!/bin/sh\n${COMMAND_HOME}=${shellQuote(homePath)} exec ${self.map(shellQuote).join(' ')} "$@"\n`;
  const path = join(binFolder, 'baton');
  // Replace the command atomically, because an agent may be running the old command at this moment.
  const next = `${path}.next`;
  rmSync(next, { force: true });
  writeFileSync(next, script, { mode: 0o700 });
  chmodSync(next, 0o700);
  renameSync(next, path);
}
