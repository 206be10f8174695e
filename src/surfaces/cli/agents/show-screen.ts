import { ScreenView } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';

/** Prints plain text, because escape sequences on the agent's screen must not act on the operator's terminal. */
export async function showScreen(cli: Cli, id: number, follow: boolean): Promise<number> {
  const { deps, json, out } = cli;
  const api = operatorClient(deps);
  if (!follow)
    return showAnswer(cli, await api.get(PATHS.screen(id), ScreenView), (view) => rows(view).map((row) => [row]));
  for await (const view of api.live(PATHS.screen(id), 'screen', ScreenView)) {
    if (out.isUnread) break;
    if (json) out.jsonLine(view);
    else out.frame(`--- agent ${view.agent_id} at ${view.at} ---`, rows(view));
  }
  return EXIT.done;
}

const rows = ({ lines }: ScreenView): string[] => lines.map((row) => row.map(({ text }) => text).join(''));
