import { Run, type RunAction } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault } from '../cli-fault.ts';
import { getRun } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { isConfirmed } from '../maintenance/is-confirmed.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { runLines } from './runs.ts';

export interface Wanted {
  readonly yes: boolean;
  readonly file?: string;
  readonly comment?: string;
}

/** Performs an action on a run. Before a destructive action, asks for confirmation in the server's own words. */
export async function actOnRun(cli: Cli, id: number, action: RunAction, { yes, ...said }: Wanted): Promise<number> {
  const api = operatorClient(cli.deps);
  const offer = (await getRun(api, id)).data.actions.find((each) => each.action === action);
  if (offer?.confirm && !yes && !(await isConfirmed(cli, `${offer.title}? ${offer.confirm} [y/N] `)))
    throw new CliFault(`Handoff ${id} was not changed.`, { code: 'not_confirmed' });
  const answer = await api.post(PATHS.runAction(id, action), said, Run);
  return showAnswer(cli, answer, (run) => [[`Handoff ${id} is now at step ${run.step}.`], ...runLines(run)]);
}
