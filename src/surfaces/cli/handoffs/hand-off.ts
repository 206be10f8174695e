import { HandoffInitiated } from '../../../contract/requests.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { operatorClient } from '../client/operator-client.ts';
import { sayMachine, showAnswer } from '../messages/show-answer.ts';
import { refuseWatchFromAfar, watchAndShow } from './watch-and-show.ts';

export interface HandoffParams {
  readonly reason?: string;
  readonly note?: string;
  readonly review?: boolean;
  readonly background?: string;
  readonly runtime?: string;
  readonly model?: string;
  /** True to request an emergency handoff, for an agent that died without a document. */
  readonly emergency?: boolean;
  readonly watch?: boolean;
}

const SHELL_FATE: Readonly<Record<string, string>> = {
  stop: 'stops when the agent exits; --background keep keeps it running',
  keep: 'keeps running when the agent exits',
};

export async function handOff(cli: Cli, agentId: number, params: HandoffParams): Promise<number> {
  const { emergency = false, watch = false, ...wanted } = params;
  if (watch) refuseWatchFromAfar(cli, 'Nothing was started. Start the handoff without --watch.');
  const path = emergency ? PATHS.succeed(agentId) : PATHS.handoff(agentId);
  const answer = await operatorClient(cli.deps).post(path, wanted, HandoffInitiated);
  const { run_id, background_shells: shells = [] } = answer.data;
  if (watch) return watchAndShow(cli, run_id);
  return showAnswer(cli, answer, () => [
    [sayMachine(cli, `Handoff ${run_id} has started.`)],
    ...shells.map((what) => [`  Background shell: ${what} (${SHELL_FATE[wanted.background ?? 'stop'] ?? ''})`]),
    [
      cli.deps.machine === undefined
        ? `  Watch it: baton handoff watch ${run_id}`
        : `  See it: baton handoff show ${run_id}`,
    ],
  ]);
}
