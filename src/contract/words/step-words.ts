import type { Run } from '../resources.ts';
import type { Tone } from './tone.ts';

/** All steps of a handoff, in order. `task`: the step by itself. `title`: as something done. `now`: under way. */
export const PIPELINE = [
  {
    step: 'requested',
    task: 'Prepare the place',
    title: 'Place prepared',
    now: 'Preparing the place for the document',
  },
  {
    step: 'waiting_safe_point',
    task: 'Come to rest',
    title: 'Agent at rest',
    now: 'Waiting for the agent to come to rest',
  },
  {
    step: 'instructing',
    task: 'Ask for the document',
    title: 'Document asked for',
    now: 'Asking the agent for the document',
  },
  {
    step: 'awaiting_document',
    task: 'Write the document',
    title: 'Agent finished writing',
    now: 'The agent is writing the document',
  },
  { step: 'verifying', task: 'Check the document', title: 'Document checked', now: 'Checking the document' },
  { step: 'recorded', task: 'Record it', title: 'Recorded', now: 'Recorded; checking that a successor can start' },
  { step: 'shutting_down', task: 'Let the agent exit', title: 'Agent exited', now: 'Waiting for the agent to exit' },
  {
    step: 'creating_successor',
    task: 'Start the successor',
    title: 'Successor started',
    now: 'Starting the successor',
  },
  {
    step: 'awaiting_registration',
    task: 'Begin its session',
    title: 'Session begun',
    now: "Waiting for the successor's session",
  },
  { step: 'injecting_skill', task: 'Give it the skill', title: 'Skill given', now: 'Giving the successor its skill' },
  {
    step: 'delivering_prompt',
    task: 'Deliver the prompt',
    title: 'Prompt delivered',
    now: 'Giving the successor the handoff prompt',
  },
  {
    step: 'awaiting_acknowledgement',
    task: 'Acknowledge',
    title: 'Acknowledged',
    now: "Waiting for the successor's acknowledgement",
  },
] as const;

const NOW: ReadonlyMap<string, string> = new Map([
  ...PIPELINE.map(({ step, now }) => [step, now] as const),
  ['undoing', 'Bringing the predecessor back'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
]);

const TITLE: ReadonlyMap<string, string> = new Map<string, string>(PIPELINE.map(({ step, title }) => [step, title]));

/** A step under way. A step that only a newer server knows is shown by its name. */
export const stepNow = (step: string): string => NOW.get(step) ?? plainName(step);

/** A step as something that is done or to come. */
export const stepTitle = (step: string): string => TITLE.get(step) ?? stepNow(step);

const plainName = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

type Told = Pick<Run, 'step' | 'review' | 'acknowledged' | 'brought_back_agent_id' | 'paused_since' | 'failure'>;

export const waitsForApproval = (run: Pick<Run, 'step' | 'review'>): boolean =>
  run.step === 'recorded' && run.review === 'wanted';

/** The status of a run in a few words, and a color that says the same. */
export function runStatus(run: Told): { readonly words: string; readonly tone: Tone } {
  if (run.step === 'failed') return { words: 'Failed', tone: 'red' };
  if (run.step === 'cancelled')
    return run.brought_back_agent_id === null
      ? { words: 'Cancelled', tone: 'grey' }
      : { words: 'Undone', tone: 'violet' };
  if (run.step === 'completed')
    return run.acknowledged
      ? { words: 'Completed', tone: 'green' }
      : { words: 'Completed, not acknowledged', tone: 'amber' };
  if (waitsForApproval(run)) return { words: 'Waiting for your approval', tone: 'amber' };
  if (run.paused_since !== null) return { words: `${stepNow(run.step)}, paused`, tone: 'amber' };
  return { words: stepNow(run.step), tone: run.step === 'undoing' ? 'violet' : 'blue' };
}

const REASONS: Readonly<Record<string, string>> = {
  context_limit: 'context full',
  shift_end: 'end of shift',
  task_boundary: 'task finished',
};

export const reasonInWords = (reason: string): string => REASONS[reason] ?? plainName(reason).toLowerCase();

const OUTGOING: ReadonlySet<string> = new Set(PIPELINE.slice(0, 7).map(({ step }) => step));

/** The agent that the run waits for at this step: the outgoing agent, or its successor. */
export const watchedAgentId = (run: Pick<Run, 'step' | 'agent_id' | 'successor_agent_id'>): number =>
  OUTGOING.has(run.step) ? run.agent_id : (run.successor_agent_id ?? run.agent_id);
