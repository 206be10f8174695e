import type { Run } from '../../../../contract/resources.ts';
import { type EnteredState, enteredState, enteredWords } from '../../../../contract/words/step-words.ts';

export interface TimelineEntry {
  readonly step: string;
  readonly words: string;
  readonly enteredAt: string;
  readonly ms: number | null;
  /** The number of the attempt, if this step began a second or later attempt; otherwise null. */
  readonly newAttempt: number | null;
  readonly state: EnteredState;
}

/** Returns every step that the run entered, in words that depend on the outcome of the step. */
export const timelineOf = (run: Run): readonly TimelineEntry[] =>
  run.steps.map(({ step, entered_at, ms, attempt }, index) => ({
    step,
    words: enteredWords(run, index),
    enteredAt: entered_at,
    ms,
    newAttempt: index > 0 && attempt !== run.steps[index - 1]?.attempt ? attempt : null,
    state: enteredState(run, index),
  }));
