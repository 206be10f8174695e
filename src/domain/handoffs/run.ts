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
  /** Not part of the normal path: the operator undoes the handoff, and the successor must end first. */
  'undoing',
] as const;

export type ActiveStep = (typeof STEPS)[number];
export type Step = ActiveStep | 'completed' | 'failed' | 'cancelled';

export const REASONS = ['context_limit', 'shift_end', 'task_boundary'] as const;
export type Reason = (typeof REASONS)[number];

/** The operator's actions on a run; one list for API, command line and page. */
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

/** One prompt to an agent. Submitted: the prompt hook named our reference. Accepted: the model's turn has it. */
export interface PromptDelivery {
  readonly ref: string;
  readonly submittedPromptId: string | null;
  readonly submitted: boolean;
  readonly accepted: boolean;
  readonly lastRefusal: string | null;
  /** Our turn ended while its subagents worked. Their results begin another turn, whose end is the end of ours. */
  readonly leftSubagents?: boolean;
  /** The successor's turn with the handoff prompt ended without an acknowledgment. */
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
 * One attempt at a handoff. This row *is* the handoff-in-progress flag (step `awaiting_document`), so a restarted Baton
 * continues by reading it.
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
  /** Number of failures: the operator is notified of each, even if the next try fails in the same way. */
  readonly failures: number;
  /** Begins at 1. Each retry by the operator is a new attempt with new prompt references. */
  readonly attempt: number;
  /** The agent ended without a document; its successor gets what Baton knows instead. */
  readonly emergency: boolean;
  readonly review: Review;
  /** Whether the agent's background shells are stopped or kept when it exits. */
  readonly background: Background;
  /** Id of the client's question about these shells that Baton has answered. */
  readonly exitAnswered: string | null;
  /** Part of this run's prompt references. Unlike the end token it is not secret. */
  readonly nonce: string;
  /** Written only in the document's last line: a successor that names it has read the document to its end. */
  readonly endToken: string;
  readonly document: RunDocument | null;
  /** The document in the record while a newer one is requested; null otherwise. */
  readonly recordedDocument: RunDocument | null;
  /** Why the operator sent the last document back. */
  readonly comment: string | null;
  /** Describes the agent's work after it wrote the document, if the operator continues with that document anyway. */
  readonly changedSince: string | null;
  readonly delivery: PromptDelivery | null;
  readonly deadlineAt: Instant | null;
  /** Set once, because the run may enter `waiting_safe_point` several times. */
  readonly safePointDeadlineAt: Instant | null;
  /** Set while the agent waits for the operator: the deadline is paused. */
  readonly pausedAt: Instant | null;
  /** When Baton last observed this run. Time during which Baton was not running does not count towards deadlines. */
  readonly lookedAt: Instant;
  /** Typing was refused; do not retry before this time. */
  readonly retryAt: Instant | null;
  readonly compactedSinceInstruction: boolean;
  /** The operator ran `/clear` after the instruction: the agent has forgotten the work it is asked to describe. */
  readonly clearedSinceInstruction: boolean;
  /** The operator ran `/clear` after the document turn: the document is valid, a new one would lack the knowledge. */
  readonly clearedSinceDocument: boolean;
  /** The client's summary of its context, if it compacted while it wrote the document. */
  readonly compactSummary: string | null;
  /** Reconcile found the document; the Stop of its turn has not arrived. */
  readonly observedFacts: boolean;
  /** The operator continues although Baton cannot tell whether the lost agent's process still runs. */
  readonly lostCountsAsGone: boolean;
  /** The document appeared after the run failed or was cancelled. */
  readonly lateDocument: boolean;
  readonly findings: readonly Finding[];
  /** The state of git when the document was checked. */
  readonly git: GitFacts | null;
  /** The agent that continues the predecessor's conversation after an undo. */
  readonly broughtBackAgentId: number | null;
  readonly warnings: readonly string[];
  readonly acknowledgement: { readonly task: string; readonly at: Instant } | null;
  readonly steps: readonly StepTime[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Defaults for fields that runs of older versions lack. */
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

export const takesPart = (run: Pick<Run, 'agentId' | 'successorAgentId'>, agentId: number): boolean =>
  run.agentId === agentId || run.successorAgentId === agentId;

/** Steps before the outgoing agent is asked to exit: a cancel can leave everything as it is. */
export const BEFORE_EXIT: ReadonlySet<string> = new Set(STEPS.slice(0, STEPS.indexOf('shutting_down')));

/** SPEC H33 */
export const canBeCancelled = ({ step, failure }: Pick<Run, 'step' | 'failure'>): boolean =>
  BEFORE_EXIT.has((step === 'failed' ? failure?.at : step) ?? '');

/** Hint of a refusal because a run is in flight. It suggests a cancel only if the server would accept it. */
export const howToWait = (run: Pick<Run, 'id' | 'step' | 'failure'>): string =>
  canBeCancelled(run)
    ? `Wait for it, or cancel it first: baton handoff cancel ${run.id}`
    : `It can no longer be cancelled. Wait for it: baton handoff watch ${run.id}`;

/** The run has no record yet, or its recorded document is about to be replaced. */
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
