import { DemoStarted } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { TICK } from '../output/ink.ts';

/** Asks the operator's running server to play the demo. The page sends the same request. */
export async function startInServer(cli: Cli): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.demo, {}, DemoStarted);
  return showAnswer(cli, answer, ({ agent_id }) => [
    [TICK, ` Baton plays the demo with agent ${agent_id}. Watch it: baton agent screen ${agent_id} --follow`],
  ]);
}
