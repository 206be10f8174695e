import type { ApiClient } from '../../client/api-client.ts';
import type { Output } from '../../output/output.ts';
import type { DemoPlaces } from './demo-places.ts';

/** What the scenes of the demo share. */
export interface Stage {
  readonly api: ApiClient;
  /** Where the story is told: stderr with --json. */
  readonly out: Output;
  readonly places: DemoPlaces;
  /** Aborted by Ctrl-C, by a server that died unplanned, and when it all takes too long. */
  readonly signal: AbortSignal;
}
