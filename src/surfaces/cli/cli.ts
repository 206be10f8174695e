import type { CliDeps } from './cli-deps.ts';
import type { Output } from './output/output.ts';

/** The objects that every command of the command line gets. */
export interface Cli {
  readonly deps: CliDeps;
  readonly out: Output;
  readonly json: boolean;
}

/** The work of a command. Resolves to the exit code; throws CliFault to report a problem. */
export type Work = (cli: Cli) => Promise<number>;
