import { setTimeout as pause } from 'node:timers/promises';
import { ServerStopping } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, ServerUnreachable } from '../cli-fault.ts';
import type { ApiClient } from '../client/api-client.ts';
import { getHealth } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { TICK } from '../output/ink.ts';

const LOOK_EVERY_MS = 50;
const STOP_MS = 30_000;

/** Stops the server and waits until it no longer answers. */
export async function stopServer(cli: Cli): Promise<number> {
  const api = operatorClient(cli.deps);
  const answer = await api.post(PATHS.stopServer, {}, ServerStopping);
  const until = performance.now() + STOP_MS;
  while (await isAnswering(api)) {
    if (performance.now() >= until)
      throw new CliFault(`Baton was asked to stop, but still answers after ${STOP_MS / 1000} s.`, {
        code: 'still_running',
        hint: "Look at the server's log: baton logs",
      });
    await pause(LOOK_EVERY_MS);
  }
  return showAnswer(cli, answer, ({ live_agents: live, hub_runs: runsHub }) => [
    [TICK, ' Baton has stopped.'],
    ...(live === 0
      ? []
      : [
          [
            `  ${live === 1 ? '1 agent keeps' : `${live} agents keep`} running in tmux; baton start continues with ${live === 1 ? 'it' : 'them'}.`,
          ],
        ]),
    ...(runsHub
      ? [
          [
            '  The hub of the fleet (nats-server) keeps running for the other machines. To end the fleet: baton fleet leave',
          ],
        ]
      : []),
  ]);
}

const isAnswering = (api: ApiClient): Promise<boolean> =>
  getHealth(api).then(
    () => true,
    (error: unknown) => {
      // Check the error's code before its class, because the refusal of a stopping server has the class
      // ServerUnreachable, although a stopping server still answers.
      if (error instanceof CliFault && ['stopping', 'stopped'].includes(error.body.code)) return true;
      if (error instanceof ServerUnreachable) return false;
      throw error;
    },
  );
