import type { Event, Run } from '../../../contract/resources.ts';
import { getEvents } from '../client/look-up.ts';
import { RunPrinter } from '../handoffs/watch/run-printer.ts';
import { watchRun } from '../handoffs/watch/watch-run.ts';
import type { Stage } from './stage/stage.ts';

export interface HandedOver {
  readonly run: Run;
  /** All events since the handoff was requested. */
  readonly events: readonly Event[];
}

const PAGE = 1000;

/**
 * Follows the handoff whose first event is given. If the handoff is acknowledged, also waits for the end of the
 * successor's first turn.
 */
export async function watchHandoff(
  stage: Stage,
  { seq, run_id }: Event,
  onStep: (step: string) => void,
): Promise<HandedOver> {
  const { api, out } = stage;
  const after = seq - 1;
  const printer = new RunPrinter(out, 'stdout');
  const run = await watchRun(api, Number(run_id), (seen) => {
    printer.show(seen);
    onStep(seen.step);
  });
  if (run.step === 'completed' && run.acknowledged) await firstTurnEnd(stage, run, after);
  return { run, events: (await getEvents(api, { after, limit: PAGE })).data };
}

/** Waits for the end of the successor's first turn, in which the successor acknowledges and then continues the work. */
async function firstTurnEnd({ api, signal }: Stage, run: Run, after: number): Promise<void> {
  let promptId: unknown;
  for await (const { agent_id, type, data } of api.follow({ after, signal })) {
    if (agent_id !== run.successor_agent_id) continue;
    if (type === 'prompt_submitted' && String(data.ref).endsWith('-injection')) promptId = data.promptId;
    const ended = type === 'turn_ended' || type === 'turn_failed';
    if (ended && promptId !== undefined && data.promptId === promptId) return;
  }
}

/**
 * Returns, for each kill of the server, the step that the handoff had reached. After a kill, the server starts again
 * and logs `server_started`, so the result contains the step of the handoff at each of these events.
 */
export function stepsKilledIn(events: readonly Event[]): string[] {
  const killedIn: string[] = [];
  let step = 'requested';
  for (const { type, data } of events) {
    if (type === 'handoff_progress') step = String(data.to);
    if (type === 'server_started') killedIn.push(step);
  }
  return killedIn;
}
