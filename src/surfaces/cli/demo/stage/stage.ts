import type { CliDeps } from '../../cli-deps.ts';
import type { ApiClient } from '../../client/api-client.ts';
import type { Output } from '../../output/output.ts';
import type { DemoPlaces } from './demo-places.ts';

/** Shared by the scenes of the demo. */
export interface Stage {
  readonly api: ApiClient;
  /** The output for the narration, which is stderr with --json. */
  readonly out: Output;
  readonly places: DemoPlaces;
  readonly beginRepository: CliDeps['beginRepository'];
  /** The signal aborts on Ctrl-C, on a timeout, and if the server dies without a planned kill. */
  readonly signal: AbortSignal;
}
