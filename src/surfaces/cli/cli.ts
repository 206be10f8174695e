import type { CliDeps } from './cli-deps.ts';
import type { Output } from './output/output.ts';

/** What every command has at hand. */
export interface Cli {
  readonly deps: CliDeps;
  readonly out: Output;
  readonly json: boolean;
}

/** Resolves to the exit code; throws CliFault for everything it wants to say instead. */
export type Work = (cli: Cli) => Promise<number>;
