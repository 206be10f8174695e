import { Run, type RunAction } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { runStatus } from '../../../contract/words/step-words.ts';
import type { RuntimeOptions } from '../agents/runs-on.ts';
import type { Cli } from '../cli.ts';
import { getRun } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { confirm } from '../maintenance/confirm.ts';
import { sayMachine, showAnswer } from '../messages/show-answer.ts';
import { runLines } from './runs.ts';

export interface Wanted extends RuntimeOptions {
  readonly yes: boolean;
  readonly file?: string;
  readonly comment?: string;
  readonly text?: string;
}

/**
 * Performs an action on a run. Before a destructive action, asks the operator for confirmation in the server's own
 * words.
 */
export async function actOnRun(cli: Cli, id: number, action: RunAction, { yes, ...said }: Wanted): Promise<number> {
  const api = operatorClient(cli.deps);
  const offer = (await getRun(api, id)).data.actions.find((each) => each.action === action);
  const question = offer?.confirm ?? (action === 'cancel' && offer !== undefined ? 'The agent keeps running.' : null);
  if (question !== null)
    await confirm(cli, {
      yes,
      question: `${offer?.title}? ${question}`,
      otherwise: `Handoff ${id} was not changed.`,
    });
  const answer = await api.post(PATHS.runAction(id, action), said, Run);
  return showAnswer(cli, answer, (run) => [
    [sayMachine(cli, `Handoff ${id}: ${runStatus(run).words}.`)],
    ...runLines(run),
  ]);
}
