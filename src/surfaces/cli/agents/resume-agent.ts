import { Agent } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { getAgent } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { TICK } from '../output/ink.ts';
import { awaitReady } from './start-agent.ts';

export async function resumeAgent(
  cli: Cli,
  id: number,
  { anyway = false, wait }: { anyway?: boolean; wait: boolean },
): Promise<number> {
  const api = operatorClient(cli.deps);
  const resumed = await api.post(PATHS.resumeAgent(id), { anyway }, Agent);
  const { id: newId } = resumed.data;
  if (!wait) return showAnswer(cli, resumed, () => [[`Agent ${newId} continues the conversation of agent ${id}.`]]);
  await awaitReady(cli, api, newId);
  return showAnswer(cli, await getAgent(api, newId), (agent) => [
    [TICK, ` ${agent.label} (agent ${newId}) continues the conversation of agent ${id} in ${agent.folder}`],
    [`  Open its terminal: baton agent attach ${newId}`],
  ]);
}
