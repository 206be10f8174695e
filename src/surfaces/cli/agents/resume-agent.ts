import { MessageVerdict } from '../../../contract/requests.ts';
import { Agent } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { getAgent } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { sayMachine, showAnswer } from '../messages/show-answer.ts';
import { showVerdict } from '../messages/show-verdict.ts';
import { TICK } from '../output/ink.ts';
import { when } from '../output/when.ts';
import { awaitReady } from './start-agent.ts';

export async function resumeAgent(
  cli: Cli,
  id: number,
  { anyway = false, wait }: { anyway?: boolean; wait: boolean },
): Promise<number> {
  const api = operatorClient(cli.deps);
  const resumed = await api.post(PATHS.resumeAgent(id), { anyway }, Agent);
  const { id: newId } = resumed.data;
  if (!wait)
    return showAnswer(cli, resumed, () => [
      [sayMachine(cli, `Agent ${newId} continues the conversation of agent ${id}.`)],
    ]);
  await awaitReady(cli, api, newId);
  return showAnswer(cli, await getAgent(api, newId), (agent) => [
    [
      TICK,
      ` ${sayMachine(cli, `${agent.label} (agent ${newId})`)} continues the conversation of agent ${id} in ${agent.folder}`,
    ],
    [`  Open its terminal: baton agent attach ${newId}`],
  ]);
}

export interface ContinueOptions {
  readonly afterLimit?: boolean;
  readonly notAfterLimit?: boolean;
}

export async function continueAgent(
  cli: Cli,
  id: number,
  { afterLimit = false, notAfterLimit = false }: ContinueOptions,
): Promise<number> {
  const api = operatorClient(cli.deps);
  if (!afterLimit && !notAfterLimit)
    return showVerdict(cli, await api.post(PATHS.continueAgent(id), {}, MessageVerdict));
  if (afterLimit && notAfterLimit)
    throw new CliFault('Use either --after-limit or --not-after-limit.', { code: 'usage', exitCode: EXIT.usage });
  const answer = await api.post(PATHS.afterLimit(id), { continue: afterLimit }, Agent);
  return showAnswer(cli, answer, ({ label, limit }) => [
    [
      TICK,
      afterLimit
        ? ` Baton asks ${sayMachine(cli, `${label} (agent ${id})`)} to continue when its usage limit is over${limit?.until ? `, ${when(limit.until)}` : ''}.`
        : ` Baton does not ask ${sayMachine(cli, `${label} (agent ${id})`)} to continue when its usage limit is over.`,
    ],
  ]);
}
