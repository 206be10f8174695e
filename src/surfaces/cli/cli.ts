import type { CliDeps } from './cli-deps.ts';
import type { Output } from './output/output.ts';

/** The context of a command: its dependencies, its output, and whether --json was given. */
export interface Cli {
  readonly deps: CliDeps;
  readonly out: Output;
  readonly json: boolean;
}

/** A function that performs one command. Resolves to the exit code; throws CliFault to report a problem. */
export type Work = (cli: Cli) => Promise<number>;
