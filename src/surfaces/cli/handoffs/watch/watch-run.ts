import type { Run } from '../../../../contract/resources.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { getRun, lastSeq } from '../../client/look-up.ts';
import { WATCH_PATIENCE_MS } from '../../client/operator-client.ts';

/**
 * Follows a run until it is over. Events only say that there is something to look at: what is shown is always the run
 * itself, so a step cannot be missed or shown twice over a reconnection.
 */
export async function watchRun(api: ApiClient, id: number, onRun: (run: Run) => void): Promise<Run> {
  // Asked before the run: what happens between the two answers is then still among the events.
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
