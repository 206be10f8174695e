import type { CliDeps } from '../../cli-deps.ts';
import type { ApiClient } from '../../client/api-client.ts';
import type { Output } from '../../output/output.ts';
import type { DemoPlaces } from './demo-places.ts';

/** Shared by the scenes of the demo. */
export interface Stage {
  readonly api: ApiClient;
  /** Output for the narration: stderr with --json. */
  readonly out: Output;
  readonly places: DemoPlaces;
  readonly beginRepository: CliDeps['beginRepository'];
  /** Aborted by Ctrl-C, by an unplanned death of the server, and on timeout. */
  readonly signal: AbortSignal;
}
