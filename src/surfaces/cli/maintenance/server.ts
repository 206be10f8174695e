import { LoggedOut } from '../../../contract/requests.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { getHealth } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink, TICK } from '../output/ink.ts';

export async function logOut(cli: Cli, everywhere: boolean): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.logout, { everywhere }, LoggedOut);
  return showAnswer(cli, answer, ({ ended }) => [
    [TICK, ended === 1 ? ' 1 page signed out' : ` ${ended} pages signed out`],
  ]);
}

export async function showStatus(cli: Cli): Promise<number> {
  const answer = await getHealth(operatorClient(cli.deps));
  return showAnswer(cli, answer, ({ version, host_id, last_seq, trouble }) => [
    [TICK, ` Baton ${version} is running on ${cli.deps.homePath}`],
    [ink('dim', `  host ${host_id}, ${last_seq} events`)],
    ...trouble.map((sentence) => [ink('yellow', `  ${sentence}`)]),
  ]);
}
