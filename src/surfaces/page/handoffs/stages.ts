import type { Run } from '../../../contract/resources.ts';
import { PIPELINE, waitsForApproval } from './step-words.ts';

export type StageState = 'done' | 'now' | 'waits' | 'failed' | 'stopped' | 'skipped' | 'missed' | 'left';

export interface Stage {
  readonly step: string;
  readonly task: string;
  readonly state: StageState;
}

type Walked = Pick<Run, 'step' | 'failure' | 'steps' | 'acknowledged' | 'review' | 'over' | 'brought_back_agent_id'>;

/** Every step of the way, with what has become of it. */
export function stagesOf(run: Walked): readonly Stage[] {
  const walked = new Set(run.steps.map(({ step }) => step));
  const at = positionOf(run);
  return PIPELINE.map(({ step, task }, index) => ({ step, task, state: stateOf(run, { index, at, walked, step }) }));
}

/** Where the run is or halted; behind the last step once it is completed. */
function positionOf(run: Walked): number {
  if (run.step === 'completed') return PIPELINE.length;
  const step = run.step === 'failed' ? (run.failure?.at ?? '') : run.step;
  const index = PIPELINE.findIndex((each) => each.step === step);
  if (index >= 0) return index;
  // Cancelled, or being taken back: as far as it had come.
  return PIPELINE.findLastIndex((each) => run.steps.some((entered) => entered.step === each.step));
}

interface Place {
  readonly index: number;
  readonly at: number;
  readonly step: string;
  readonly walked: ReadonlySet<string>;
}

function stateOf(run: Walked, { index, at, walked, step }: Place): StageState {
  if (index > at) return 'left';
  if (index < at) {
    if (step === 'awaiting_acknowledgement' && run.step === 'completed' && !run.acknowledged) return 'missed';
    // After an emergency there is no document: the run began behind those steps.
    return walked.has(step) ? 'done' : 'skipped';
  }
  if (run.step === 'failed') return 'failed';
  if (run.step === 'cancelled' || run.step === 'undoing') return 'stopped';
  return waitsForApproval(run) ? 'waits' : 'now';
}

/** "Step 4 of 12", for people who count. */
export function stageNumber(stages: readonly Stage[]): number {
  const left = stages.findIndex(({ state }) => state === 'left');
  return left < 0 ? stages.length : left;
}
