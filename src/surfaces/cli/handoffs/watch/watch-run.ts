import type { Run } from '../../../../contract/resources.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { getRun, lastSeq } from '../../client/look-up.ts';
import { WATCH_PATIENCE_MS } from '../../client/operator-client.ts';

/**
 * Follows a run until it is over. Events only trigger another read of the run itself, so a reconnection can neither
 * skip a step nor show it twice.
 */
export async function watchRun(api: ApiClient, id: number, onRun: (run: Run) => void): Promise<Run> {
  // The end of the log is read before the run, so that no event between the two answers is missed.
  const after = await lastSeq(api);
  let run = (await getRun(api, id)).data;
  onRun(run);
  if (run.over) return run;
  for await (const event of api.follow({ after, patienceMs: WATCH_PATIENCE_MS })) {
    if (event.run_id !== id && event.type !== 'server_started') continue;
    run = (await getRun(api, id)).data;
    onRun(run);
    if (run.over) break;
  }
  return run;
}
