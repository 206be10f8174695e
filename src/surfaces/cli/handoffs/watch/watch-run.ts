import type { Run } from '../../../../contract/resources.ts';
import { watchedAgentId } from '../../../../contract/words/step-words.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { getRun, lastSeq } from '../../client/look-up.ts';
import { WATCH_PATIENCE_MS } from '../../client/operator-client.ts';

/**
 * Follows a run until the run has ended. Uses the events only as signals to read the run again, so a lost connection
 * cannot skip or repeat a step.
 */
export async function watchRun(api: ApiClient, id: number, onRun: (run: Run) => void): Promise<Run> {
  // Read the last position of the log first, and the run second. In the other order, an event between the two reads
  // would be missed.
  const after = await lastSeq(api);
  let run = (await getRun(api, id)).data;
  onRun(run);
  if (run.over) return run;
  for await (const event of api.follow({ after, patienceMs: WATCH_PATIENCE_MS })) {
    // Also read the run after an event of the old agent or of its successor. For example, the run pauses when one of
    // them asks a question.
    const isAboutRun = event.run_id === id || event.agent_id === watchedAgentId(run);
    if (!isAboutRun && event.type !== 'server_started') continue;
    run = (await getRun(api, id)).data;
    onRun(run);
    if (run.over) break;
  }
  return run;
}
