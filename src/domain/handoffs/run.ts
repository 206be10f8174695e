import type { Instant } from '../instant.ts';
import type { Finding } from './document/finding.ts';
import type { GitFacts } from './document/git-facts.ts';

export const STEPS = [
  'requested',
  'waiting_safe_point',
  'instructing',
  'awaiting_document',
  'verifying',
  'recorded',
  'shutting_down',
  'creating_successor',
  'awaiting_registration',
  'injecting_skill',
  'delivering_prompt',
  'awaiting_acknowledgement',
  /** Off the path: the operator takes the handoff back, and the successor has to be gone first. */
  'undoing',
] as const;

export type ActiveStep = (typeof STEPS)[number];
export type Step = ActiveStep | 'completed' | 'failed' | 'cancelled';

export const REASONS = ['context_limit', 'shift_end', 'task_boundary'] as const;
export type Reason = (typeof REASONS)[number];

/** What the operator can do about a run; one list for API, command line and page. */
export const RUN_ACTIONS = [
  'wait',
  'interrupt',
  'check_again',
  'instruct_again',
  'adopt',
  'retry',
  'accept',
  'force_exit',
  'approve',
  'send_back',
  'cancel',
  'resume',
  'use_recorded',
  'undo',
] as const;
export type RunAction = (typeof RUN_ACTIONS)[number];

export interface Failure {
  readonly at: ActiveStep;
  readonly code: string;
  readonly sentence: string;
  readonly hint: string;
}

/** One prompt on its way into an agent. Submitted: the hook named our reference. Accepted: the model's turn has it. */
export interface PromptDelivery {
  readonly ref: string;
  readonly submittedPromptId: string | null;
  readonly submitted: boolean;
  readonly accepted: boolean;
  readonly lastRefusal: string | null;
  /** Its turn ended while subagents of it worked: their results begin a turn of their own, which ends ours. */
  readonly leftSubagents?: boolean;
  /** The successor's turn with the handoff prompt is over, and no acknowledgement came. */
  readonly isOverUnacknowledged?: boolean;
}

export interface RunDocument {
  readonly path: string;
  readonly absolutePath: string;
  readonly sha256: string | null;
  readonly bytes: number | null;
  readonly markerFound: boolean | null;
}

export interface StepTime {
  readonly step: Step;
  readonly enteredAt: Instant;
  readonly attempt: number;
}

/** Does the operator want to read the document before the agent is asked to exit? */
export type Review = 'not_wanted' | 'wanted' | 'approved';

export const BACKGROUND = ['stop', 'keep'] as const;
export type Background = (typeof BACKGROUND)[number];

/**
 * One attempt at a handoff. This row *is* the handoff-in-progress flag (step `awaiting_document`), so a restart
 * resumes by reading it.
 */
export interface Run {
  readonly id: number;
  readonly hostId: string;
  readonly agentId: number;
  readonly successorAgentId: number | null;
  readonly handoffId: number | null;
  readonly reason: Reason;
  readonly note: string | null;
  readonly step: Step;
  readonly failure: Failure | null;
  /** How often it failed: each failure is told once, also when the next try fails in the same way. */
  readonly failures: number;
  /** Begins at 1; each try that the operator asks for is a new one, with prompts of its own. */
  readonly attempt: number;
  /** The agent died without a document; its successor gets what Baton knows instead. */
  readonly emergency: boolean;
  readonly review: Review;
  /** What becomes of the shells that the agent left running in the background, when it exits. */
  readonly background: Background;
  /** The client's question about them that was answered so. */
  readonly exitAnswered: string | null;
  /** Names this run's prompts; unlike the end token it may be seen by anyone. */
  readonly nonce: string;
  /** Stands only in the document's last line: whoever names it has read the document to its end. */
  readonly endToken: string;
  readonly document: RunDocument | null;
  /** The document that the record names, while a newer one is asked for; null otherwise. */
  readonly recordedDocument: RunDocument | null;
  /** Why the operator sent the last document back. */
  readonly comment: string | null;
  /** What the agent did after it wrote the document, if the operator goes on with that document all the same. */
  readonly changedSince: string | null;
  readonly delivery: PromptDelivery | null;
  readonly deadlineAt: Instant | null;
  /** The wait for a safe point may be entered several times; its deadline is set once. */
  readonly safePointDeadlineAt: Instant | null;
  /** Set while the agent waits for the operator: the deadline stands still. */
  readonly pausedAt: Instant | null;
  /** When this run was last looked at: time in which nobody looks is nobody's delay. */
  readonly lookedAt: Instant;
  /** Typing was refused; not to be tried again before this. */
  readonly retryAt: Instant | null;
  readonly compactedSinceInstruction: boolean;
  /** The operator cleared its conversation (`/clear`) after the instruction: its author knew nothing of its work. */
  readonly clearedSinceInstruction: boolean;
  /** The same after the turn that wrote it: the document holds, but another one would be written without that knowledge. */
  readonly clearedSinceDocument: boolean;
  /** The client's own summary of what it forgot, if it compacted while it wrote. */
  readonly compactSummary: string | null;
  /** The document was found by looking, and the Stop of its turn has not been heard. */
  readonly observedFacts: boolean;
  /** The operator goes on although nobody can see whether the process of a lost agent still lives. */
  readonly lostCountsAsGone: boolean;
  /** The document came after the run had failed or was cancelled. */
  readonly lateDocument: boolean;
  readonly findings: readonly Finding[];
  /** What git showed when the document was checked. */
  readonly git: GitFacts | null;
  /** The agent in which the predecessor's conversation goes on after an undo. */
  readonly broughtBackAgentId: number | null;
  readonly warnings: readonly string[];
  readonly acknowledgement: { readonly task: string; readonly at: Instant } | null;
  readonly steps: readonly StepTime[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** What runs have that were begun by a Baton which did not know these yet. */
export const NEW_RUN = {
  failures: 0,
  attempt: 1,
  emergency: false,
  review: 'not_wanted',
  background: 'stop',
  exitAnswered: null,
  compactSummary: null,
  lostCountsAsGone: false,
  lateDocument: false,
  findings: [],
  git: null,
  broughtBackAgentId: null,
  recordedDocument: null,
  comment: null,
  changedSince: null,
  clearedSinceInstruction: false,
  clearedSinceDocument: false,
  observedFacts: false,
} as const satisfies Partial<Run>;

export const isOver = (run: Pick<Run, 'step'>): boolean =>
  run.step === 'completed' || run.step === 'failed' || run.step === 'cancelled';

/** Until here nothing has happened that a cancel could not leave as it is: the outgoing agent has not been asked to exit. */
export const BEFORE_EXIT: ReadonlySet<string> = new Set([
  'requested',
  'waiting_safe_point',
  'instructing',
  'awaiting_document',
  'verifying',
  'recorded',
]);

/** SPEC H33 */
export const canBeCancelled = ({ step, failure }: Pick<Run, 'step' | 'failure'>): boolean =>
  BEFORE_EXIT.has((step === 'failed' ? failure?.at : step) ?? '');

/** The hint of a refusal because a run is in flight. It names a cancel only where the server would take it. */
export const howToWait = (run: Pick<Run, 'id' | 'step' | 'failure'>): string =>
  canBeCancelled(run)
    ? `Wait for it, or cancel it first: baton run cancel ${run.id}`
    : `It can no longer be cancelled. Wait for it: baton run show ${run.id} --watch`;

/** Nothing is recorded yet, or what is recorded is about to be replaced. */
export const lacksRecord = ({ handoffId, recordedDocument }: Pick<Run, 'handoffId' | 'recordedDocument'>): boolean =>
  handoffId === null || recordedDocument !== null;

/** The record of seed 003: exactly these six fields. */
export interface Handoff {
  readonly id: number;
  readonly agentId: number;
  readonly reason: Reason;
  readonly filePath: string | null;
  readonly injectionPrompt: string | null;
  readonly createdAt: Instant;
}
