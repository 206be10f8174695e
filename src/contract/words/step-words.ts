import type { HandoffSummary, Run } from '../resources.ts';
import type { Tone } from './tone.ts';

/**
 * All steps of a handoff in order. `task` describes a step to do, `title` a completed step and `now` a step in
 * progress.
 */
export const PIPELINE = [
  {
    step: 'requested',
    task: 'Prepare document path',
    title: 'Document path ready',
    now: 'Preparing the document path',
  },
  {
    step: 'waiting_safe_point',
    task: 'Wait for idle',
    title: 'Agent idle',
    now: 'Waiting for the agent to become idle',
  },
  {
    step: 'instructing',
    task: 'Request document',
    title: 'Document requested',
    now: 'Requesting the document from the agent',
  },
  {
    step: 'awaiting_document',
    task: 'Write document',
    title: 'Writing ended',
    now: 'The agent is writing the document',
  },
  { step: 'verifying', task: 'Verify document', title: 'Document verified', now: 'Verifying the document' },
  { step: 'recorded', task: 'Save record', title: 'Record saved', now: 'Checking that a successor can start' },
  {
    step: 'shutting_down',
    task: 'Stop old agent',
    title: 'Old agent stopped',
    now: 'Waiting for the old agent to exit',
  },
  {
    step: 'creating_successor',
    task: 'Start successor',
    title: 'Successor started',
    now: 'Starting the successor',
  },
  {
    step: 'awaiting_registration',
    task: 'Wait for session',
    title: 'Session started',
    now: "Waiting for the successor's session",
  },
  { step: 'injecting_skill', task: 'Load skill', title: 'Skill loaded', now: 'Loading the skill into the successor' },
  {
    step: 'delivering_prompt',
    task: 'Deliver handoff prompt',
    title: 'Handoff prompt delivered',
    now: 'Delivering the handoff prompt to the successor',
  },
  {
    step: 'awaiting_acknowledgement',
    task: 'Acknowledge',
    title: 'Acknowledged',
    now: "Waiting for the successor's acknowledgment",
  },
] as const;

const NOW: ReadonlyMap<string, string> = new Map([
  ...PIPELINE.map(({ step, now }) => [step, now] as const),
  ['undoing', 'Undoing the handoff'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
  ['cancelled', 'Canceled'],
]);

const TITLE: ReadonlyMap<string, string> = new Map<string, string>(PIPELINE.map(({ step, title }) => [step, title]));

/**
 * Returns the words for a step in progress. For a step that only a newer version of Baton knows, returns the API name
 * of the step.
 */
export const stepNow = (step: string): string => NOW.get(step) ?? plainName(step);

/** Returns the words for a completed step. */
export const stepTitle = (step: string): string => TITLE.get(step) ?? stepNow(step);

const plainName = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/**
 * How a step of a run ended, or `now` for the step in progress. `interrupted` means that an undo or a cancel ended the
 * step.
 */
export type EnteredState = 'done' | 'now' | 'interrupted' | 'failed_here' | 'missed' | 'failed' | 'ended';

const ENDS: ReadonlySet<string> = new Set(['cancelled', 'undoing']);
const ON_THE_WAY: ReadonlySet<string> = new Set([...PIPELINE.map(({ step }) => step), 'completed']);

/** Returns how the step at this index of the run ended. The step at which a run failed does not count as done. */
export function enteredState(run: Pick<Run, 'step' | 'steps' | 'over' | 'acknowledged'>, index: number): EnteredState {
  const step = run.steps[index]?.step ?? '';
  const next = run.steps[index + 1]?.step;
  if (step === 'failed') return 'failed';
  if (next === 'failed') return 'failed_here';
  if (next === undefined && !run.over && step === run.step) return 'now';
  if (ENDS.has(step)) return 'ended';
  if (step === 'awaiting_acknowledgement' && next === 'completed' && !run.acknowledged) return 'missed';
  return step === 'completed' || (next !== undefined && ON_THE_WAY.has(next)) ? 'done' : 'interrupted';
}

/** Returns the words for the step at this index, which depend on the outcome of the step. */
export function enteredWords(run: Told & Pick<Run, 'steps' | 'over'>, index: number): string {
  const step = run.steps[index]?.step ?? '';
  const state = enteredState(run, index);
  if (state === 'now' || (step === 'cancelled' && run.step === 'cancelled')) return runStatus(run).words;
  return state === 'done' ? stepTitle(step) : stepNow(step);
}

type Told = Pick<Run, 'step' | 'review' | 'acknowledged' | 'brought_back_agent_id' | 'paused_since' | 'failure'>;

export const waitsForApproval = (run: Pick<Run, 'step' | 'review'>): boolean =>
  run.step === 'recorded' && run.review === 'wanted';

/** Returns the status of a run in a few words, and a color with the same meaning. */
export function runStatus(run: Told): { readonly words: string; readonly tone: Tone } {
  if (run.step === 'failed') return { words: 'Failed', tone: 'red' };
  if (run.step === 'cancelled')
    return run.brought_back_agent_id === null
      ? { words: 'Canceled', tone: 'grey' }
      : { words: 'Undone', tone: 'violet' };
  if (run.step === 'completed')
    return run.acknowledged
      ? { words: 'Completed', tone: 'green' }
      : { words: 'Completed, not acknowledged', tone: 'amber' };
  if (waitsForApproval(run)) return { words: 'Needs your approval', tone: 'amber' };
  if (run.paused_since !== null) return { words: `${stepNow(run.step)} (paused)`, tone: 'amber' };
  return { words: stepNow(run.step), tone: run.step === 'undoing' ? 'violet' : 'blue' };
}

const REASONS: Readonly<Record<string, string>> = {
  context_limit: 'context limit',
  shift_end: 'end of shift',
  task_boundary: 'task finished',
};

export const reasonInWords = (reason: string): string => REASONS[reason] ?? plainName(reason).toLowerCase();

/**
 * Returns the name of a recorded handoff: the number of its run, or the number of the record if the record has no run.
 */
export const handoffName = ({ id, run_id }: Pick<HandoffSummary, 'id' | 'run_id'>): string =>
  run_id === null ? `Handoff record ${id}` : `Handoff ${run_id}`;

const OUTGOING: ReadonlySet<string> = new Set(PIPELINE.slice(0, 7).map(({ step }) => step));

/** Returns the id of the agent that the run waits for at its current step: the outgoing agent or the successor. */
export const watchedAgentId = (run: Pick<Run, 'step' | 'agent_id' | 'successor_agent_id'>): number =>
  OUTGOING.has(run.step) ? run.agent_id : (run.successor_agent_id ?? run.agent_id);
