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
  /**
   * A step outside of the normal sequence: the operator undoes the handoff, and Baton waits for the successor's end.
   */
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

/** One prompt to an agent. Submitted: the prompt hook reported our reference. Accepted: the model has the prompt. */
export interface PromptDelivery {
  readonly ref: string;
  readonly submittedPromptId: string | null;
  readonly submitted: boolean;
  readonly accepted: boolean;
  readonly lastRefusal: string | null;
  /**
   * The turn of our prompt ended while its subagents worked. Their results begin another turn; its end counts as ours.
   */
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

/** Whether the operator wants to read the document before the agent is asked to exit. */
export type Review = 'not_wanted' | 'wanted' | 'approved';

export const BACKGROUND = ['stop', 'keep'] as const;
export type Background = (typeof BACKGROUND)[number];

/**
 * One handoff run. The step `awaiting_document` in this row serves as the handoff-in-progress flag, so a restarted
 * Baton reads the row and continues.
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
  /** Number of failures so far. Each failure opens its own inbox item, even if it equals the last failure. */
  readonly failures: number;
  /** The number of the attempt, from 1. Each retry by the operator is a new attempt with new prompt references. */
  readonly attempt: number;
  /** The agent ended without a document, so its successor gets a summary of what Baton knows. */
  readonly emergency: boolean;
  readonly review: Review;
  /** Whether the agent's background shells are stopped or kept when it exits. */
  readonly background: Background;
  /** Id of the client's question about these shells that Baton has answered. */
  readonly exitAnswered: string | null;
  /** A part of all prompt references of this run. Unlike the end token, the nonce is not secret. */
  readonly nonce: string;
  /** Written only in the last line of the document, so a successor that names the token has read the whole document. */
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
  /** The deadline of `waiting_safe_point`. It is set only once, although the run may enter this step several times. */
  readonly safePointDeadlineAt: Instant | null;
  /** Since when the deadline is paused, because the agent waits for the operator; null: not paused. */
  readonly pausedAt: Instant | null;
  /** When Baton last checked this run. Time during which Baton was not running does not count towards deadlines. */
  readonly lookedAt: Instant;
  /** Set after refused typing: Baton does not retry before this time. */
  readonly retryAt: Instant | null;
  readonly compactedSinceInstruction: boolean;
  /** The operator ran `/clear` after the instruction, so the agent has forgotten the work that it must describe. */
  readonly clearedSinceInstruction: boolean;
  /**
   * The operator ran `/clear` after the document was written. The document is valid, but a new one would be useless.
   */
  readonly clearedSinceDocument: boolean;
  /** The client's summary of the context, if a compaction happened while the agent wrote the document. */
  readonly compactSummary: string | null;
  /** Reconcile found the document, but the Stop of the turn that wrote it has not arrived. */
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

/** Steps before the outgoing agent is asked to exit. A cancel in these steps leaves the agent as it is. */
export const BEFORE_EXIT: ReadonlySet<string> = new Set(STEPS.slice(0, STEPS.indexOf('shutting_down')));

/** SPEC H33. True if the run has not yet asked the agent to exit. */
export const canBeCancelled = ({ step, failure }: Pick<Run, 'step' | 'failure'>): boolean =>
  BEFORE_EXIT.has((step === 'failed' ? failure?.at : step) ?? '');

/** The hint for a refusal because of a run in flight. It suggests a cancel only if the server would accept a cancel. */
export const howToWait = (run: Pick<Run, 'id' | 'step' | 'failure'>): string =>
  canBeCancelled(run)
    ? `Wait for it, or cancel it first: baton handoff cancel ${run.id}`
    : `It can no longer be cancelled. Wait for it: baton handoff watch ${run.id}`;

/** True if the run has no record yet, or if a new document will replace the recorded document. */
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
