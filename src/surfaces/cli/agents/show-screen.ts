import { ScreenView } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showContent } from '../messages/show-answer.ts';
import { stamp } from '../output/when.ts';

/**
 * Prints the screen as plain text, because escape sequences from the agent's screen would act on the operator's own
 * terminal.
 */
export async function showScreen(cli: Cli, id: number, follow: boolean): Promise<number> {
  const { deps, json, out } = cli;
  const api = operatorClient(deps);
  if (!follow)
    return showContent(cli, await api.get(PATHS.screen(id), ScreenView), (view) =>
      out.fit(withoutGaps(rows(view)).map((row) => [row])),
    );
  for await (const view of api.live(PATHS.screen(id), 'screen', ScreenView)) {
    if (out.isUnread) break;
    if (json) out.jsonLine(view);
    else out.frame(`--- agent ${view.agent_id} at ${stamp(view.at)} ---`, rows(view));
  }
  return EXIT.done;
}

/**
 * Replaces successive blank rows by one blank row, because many agents keep their input at the bottom of a tall screen,
 * below many blank rows.
 */
const withoutGaps = (all: readonly string[]): string[] =>
  all.filter((row, at) => row !== '' || (at > 0 && all[at - 1] !== ''));

/** The rows of the screen, without the blank rows below the last text. */
function rows({ lines }: ScreenView): string[] {
  const all = lines.map((row) =>
    row
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );
  return all.slice(0, all.findLastIndex((row) => row !== '') + 1);
}
