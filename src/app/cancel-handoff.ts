import { isCancellable } from '../domain/handoff/advance.ts';
import { isOver, type Run } from '../domain/handoff/run.ts';
import type { Refusal } from '../domain/refusals.ts';
import { recordFact } from './record-facts.ts';
import type { Ports } from './world.ts';

export function cancelHandoff(ports: Ports, runId: number): Promise<Run | Refusal> {
  return ports.store.write((tx) => {
    const run = tx.runById(runId);
    if (run === undefined) return { code: 'run_not_found', sentence: `Run ${runId} not found` } as const;
    if (isOver(run)) return { code: 'run_over', sentence: `Run ${runId} is over: ${run.step}` } as const;
    if (!isCancellable(run)) {
      return {
        code: 'not_cancellable',
        sentence: `Run ${runId} is at ${run.step}: the outgoing agent has been asked to exit, so it can only go on`,
      } as const;
    }
    recordFact(tx, ports, { type: 'handoff_cancelled', runId });
    return tx.runById(runId) ?? run;
  });
}
