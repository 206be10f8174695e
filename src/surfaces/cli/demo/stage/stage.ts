import type { ApiClient } from '../../client/api-client.ts';
import type { Output } from '../../output/output.ts';

/** The objects that all scenes of the demo share. */
export interface Stage {
  readonly api: ApiClient;
  /** Prints the narration. With --json the narration goes to stderr. */
  readonly out: Output;
  readonly home: string;
  readonly project: string;
  /** Aborts on Ctrl-C, on a timeout, and if the server dies without a planned kill. */
  readonly signal: AbortSignal;
}
