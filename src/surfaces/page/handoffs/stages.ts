import type { Run } from '../../../contract/resources.ts';
import { PIPELINE, waitsForApproval } from '../../../contract/words/step-words.ts';

export type StageState = 'done' | 'now' | 'waits' | 'failed' | 'stopped' | 'skipped' | 'missed' | 'left';

export interface Stage {
  readonly step: string;
  readonly task: string;
  readonly state: StageState;
}

type Walked = Pick<Run, 'step' | 'failure' | 'steps' | 'acknowledged' | 'review' | 'over' | 'brought_back_agent_id'>;

/** Every step of a handoff, with its state. */
export function stagesOf(run: Walked): readonly Stage[] {
  const walked = new Set(run.steps.map(({ step }) => step));
  const at = positionOf(run);
  return PIPELINE.map(({ step, task }, index) => ({ step, task, state: stateOf(run, { index, at, walked, step }) }));
}

/**
 * Returns the index of the current step. If the run failed, returns the index of the step that failed. If the run is
 * completed, returns the number of steps.
 */
function positionOf(run: Walked): number {
  if (run.step === 'completed') return PIPELINE.length;
  const step = run.step === 'failed' ? (run.failure?.at ?? '') : run.step;
  const index = PIPELINE.findIndex((each) => each.step === step);
  if (index >= 0) return index;
  // A run that is canceled or being undone is shown at the last step that it reached.
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
    // Show the steps that the run did not enter as skipped. For example, an emergency run has no document, so it skips
    // the steps about the document.
    return walked.has(step) ? 'done' : 'skipped';
  }
  if (run.step === 'failed') return 'failed';
  if (run.step === 'cancelled' || run.step === 'undoing') return 'stopped';
  return waitsForApproval(run) ? 'waits' : 'now';
}

/** Returns the number of the current step, such as 4 in "Step 4 of 12". */
export function stageNumber(stages: readonly Stage[]): number {
  const left = stages.findIndex(({ state }) => state === 'left');
  return left < 0 ? stages.length : left;
}

/** The time from the start of a run to its last step, in milliseconds. */
export const tookMs = ({ created_at, steps, updated_at }: Run): number =>
  Date.parse(steps.at(-1)?.entered_at ?? updated_at) - Date.parse(created_at);
