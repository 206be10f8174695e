import { Agent } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { operatorClient } from '../client/operator-client.ts';
import { timeAhead } from '../inbox/given-time.ts';
import { sayMachine, showAnswer } from '../messages/show-answer.ts';
import { TICK } from '../output/ink.ts';
import { when } from '../output/when.ts';

export interface MuteOptions {
  readonly until?: string;
  readonly off?: boolean;
}

export async function muteAgent(cli: Cli, id: number, { until, off = false }: MuteOptions): Promise<number> {
  if (off && until !== undefined) throw usage('Use either --until or --off.');
  const api = operatorClient(cli.deps);
  if (off)
    return showAnswer(cli, await api.post(PATHS.unmuteAgent(id), {}, Agent), ({ label }) => [
      [TICK, ` ${sayMachine(cli, `Unmuted ${label} (agent ${id}).`)}`],
    ]);
  const end = until === undefined ? undefined : timeAhead(until, new Date());
  if (until !== undefined && end === undefined)
    throw usage(`Invalid time "${until}". Use 18:00, 30m, 2h or 2026-11-15T18:00.`);
  const answer = await api.post(PATHS.muteAgent(id), end === undefined ? {} : { until: end.toISOString() }, Agent);
  return showAnswer(cli, answer, ({ label, muted }) => [
    [
      TICK,
      ` ${sayMachine(cli, `Muted ${label} (agent ${id})`)}${muted?.until ? ` until ${when(muted.until)}` : ''}; failures are still sent. Unmute: baton agent mute ${id} --off`,
    ],
  ]);
}

const usage = (sentence: string): CliFault => new CliFault(sentence, { code: 'usage', exitCode: EXIT.usage });
