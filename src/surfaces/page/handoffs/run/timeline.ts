import type { Run } from '../../../../contract/resources.ts';
import { PIPELINE, runStatus, stepNow, stepTitle } from '../../../../contract/words/step-words.ts';

export interface TimelineEntry {
  readonly step: string;
  readonly words: string;
  readonly enteredAt: string;
  readonly ms: number | null;
  /** The number of the attempt. Set only on the first step of a new attempt. */
  readonly newAttempt: number | null;
  readonly state: 'done' | 'now' | 'broken_off' | 'missed' | 'failed' | 'ended';
}

const ENDS: ReadonlySet<string> = new Set(['cancelled', 'undoing']);
const ON_THE_WAY: ReadonlySet<string> = new Set([...PIPELINE.map(({ step }) => step), 'completed']);

/** Returns every step that the run entered, in words that depend on the outcome of the step. */
export function timelineOf(run: Run): readonly TimelineEntry[] {
  return run.steps.map(({ step, entered_at, ms, attempt }, index) => {
    const state = stateOf(run, index);
    return {
      step,
      words: state === 'now' ? runStatus(run).words : state === 'done' ? stepTitle(step) : stepNow(step),
      enteredAt: entered_at,
      ms,
      newAttempt: index > 0 && attempt !== run.steps[index - 1]?.attempt ? attempt : null,
      state,
    };
  });
}

/** A step that led to a failure is not done, although another step follows it. */
function stateOf(run: Run, index: number): TimelineEntry['state'] {
  const step = run.steps[index]?.step ?? '';
  const next = run.steps[index + 1]?.step;
  if (step === 'failed') return 'failed';
  if (next === undefined && !run.over && step === run.step) return 'now';
  if (ENDS.has(step)) return 'ended';
  if (step === 'awaiting_acknowledgement' && next === 'completed' && !run.acknowledged) return 'missed';
  return step === 'completed' || (next !== undefined && ON_THE_WAY.has(next)) ? 'done' : 'broken_off';
}
