import { HandoffInitiated } from '../../../contract/requests.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { watchAndShow } from './watch-and-show.ts';

export interface HandoffParams {
  readonly reason?: string;
  readonly note?: string;
  readonly review?: boolean;
  readonly background?: string;
  readonly watch: boolean;
}

export const handOff = (cli: Cli, agentId: number, wanted: HandoffParams): Promise<number> =>
  begin(cli, PATHS.handoff(agentId), wanted);

const FATE: Readonly<Record<string, string>> = {
  stop: 'it is stopped when the agent exits; --background keep lets it go on',
  keep: 'it goes on when the agent exits',
};

export const succeed = (cli: Cli, agentId: number, wanted: HandoffParams): Promise<number> =>
  begin(cli, PATHS.succeed(agentId), wanted);

async function begin(cli: Cli, path: string, { watch, ...wanted }: HandoffParams): Promise<number> {
  const answer = await operatorClient(cli.deps).post(path, wanted, HandoffInitiated);
  const { run_id, background_shells: shells = [] } = answer.data;
  if (watch) return watchAndShow(cli, run_id);
  return showAnswer(cli, answer, () => [
    [`Handoff run ${run_id} has begun.`],
    ...shells.map((what) => [`  In its background runs: ${what} (${FATE[wanted.background ?? 'stop'] ?? ''})`]),
    [`  Watch it: baton run show ${run_id} --watch`],
  ]);
}
