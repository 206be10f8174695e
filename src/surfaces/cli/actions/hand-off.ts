import { HandoffInitiated } from '../../../contract/requests.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from './show-answer.ts';
import { watchAndShow } from './watch-and-show.ts';

export interface HandoffWanted {
  readonly reason?: string;
  readonly note?: string;
  readonly watch: boolean;
}

export async function handOff(cli: Cli, agentId: number, { watch, reason, note }: HandoffWanted): Promise<number> {
  const wanted = { ...(reason === undefined ? {} : { reason }), ...(note === undefined ? {} : { note }) };
  const answer = await operatorClient(cli.deps).post(PATHS.handoff(agentId), wanted, HandoffInitiated);
  const { run_id } = answer.data;
  if (watch) return watchAndShow(cli, run_id);
  return showAnswer(cli, answer, () => [
    [`Handoff run ${run_id} has begun.`],
    [`  Watch it: baton run show ${run_id} --watch`],
  ]);
}
