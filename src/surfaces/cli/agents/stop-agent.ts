import { Agent } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault } from '../cli-fault.ts';
import { operatorClient } from '../client/operator-client.ts';
import { isConfirmed } from '../maintenance/is-confirmed.ts';
import { showAnswer } from '../messages/show-answer.ts';

export async function stopAgent(
  cli: Cli,
  id: number,
  { force, yes }: { force: boolean; yes: boolean },
): Promise<number> {
  if (force && !yes && !(await isConfirmed(cli, `Kill agent ${id}? Unsaved work is lost. [y/N] `))) {
    throw new CliFault(`Agent ${id} was not stopped.`, { code: 'not_confirmed' });
  }
  const answer = await operatorClient(cli.deps).post(PATHS.stopAgent(id), { force }, Agent);
  return showAnswer(cli, answer, ({ label }) => [
    [force ? `Killing ${label} (agent ${id}).` : `Asked ${label} (agent ${id}) to exit.`],
  ]);
}
