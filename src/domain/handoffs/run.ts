import type { Instant } from '../instant.ts';
import type { RunsOn } from '../personas/runs-on.ts';
import type { Finding } from './document/finding.ts';
import type { GitFacts } from './document/git-facts.ts';
import type { DocumentKnowledge } from './document/knowledge.ts';

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
   * A step outside of the normal sequence: the operator has undone the handoff, and Baton waits until the successor has
   * ended.
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
  'nudge',
  'message',
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
  /**
   * The hint without the list of possible actions. The actions change with the state of the agents, so Baton adds the
   * actions when it shows the hint. Absent in rows of older versions.
   */
  readonly lead?: string;
}

/**
 * How far one prompt to an agent has been delivered. `submitted`: the prompt hook reported Baton's reference.
 * `accepted`: the model has the prompt.
 */
export interface PromptDelivery {
  readonly ref: string;
  readonly submittedPromptId: string | null;
  readonly submitted: boolean;
  readonly accepted: boolean;
  readonly lastRefusal: string | null;
  /**
   * True if the turn that Baton's prompt began has ended while subagents of the agent still worked. The results of the
   * subagents begin another turn. Only the end of that second turn counts as the end of Baton's prompt.
   */
  readonly leftSubagents?: boolean;
  /** True if the successor's turn with the handoff prompt ended without an acknowledgment. */
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
 * One handoff run. The step `awaiting_document` in this row is the handoff-in-progress flag (SPEC H11). After a
 * restart, Baton reads the row and continues the run.
 */
export interface Run {
  readonly id: number;
  readonly hostId: string;
  readonly agentId: number;
  readonly successorAgentId: number | null;
  readonly handoffId: number | null;
  /**
   * The runtime, model and arguments for the successor: the operator's choice or, without a choice, the first startable
   * entry of the persona's list. Null or absent if the successor runs like its predecessor.
   */
  readonly runsOn?: RunsOn | null;
  /** Why Baton began this run by itself; null or absent if a person began the run. */
  readonly begunBecause?: string | null;
  /** The agent's own reason, if the agent itself asked for this handoff. Null or absent if the agent did not ask. */
  readonly askedBecause?: string | null;
  readonly reason: Reason;
  readonly note: string | null;
  readonly step: Step;
  readonly failure: Failure | null;
  /**
   * Number of failures so far. Each failure opens its own inbox item, even if it has the same cause as the last
   * failure.
   */
  readonly failures: number;
  /**
   * The number of the attempt; the first attempt has the number 1. Each retry by the operator is a new attempt with new
   * prompt references.
   */
  readonly attempt: number;
  /**
   * True for an emergency handoff: the agent could not write a document, because it had ended or was under a usage
   * limit. The successor then gets what Baton knows.
   */
  readonly emergency: boolean;
  readonly review: Review;
  /** Whether the agent's background shells are stopped or kept running when the agent exits. */
  readonly background: Background;
  /**
   * The id of the exiting client's question about background shells, once Baton has answered the question. Null before
   * the answer, or if the client asked no such question.
   */
  readonly exitAnswered: string | null;
  /**
   * The nonce of this run, which is a part of all its prompt references. Unlike the end token, the nonce is not secret.
   */
  readonly nonce: string;
  /**
   * The end token, which the successor finds only in the last line of the document. A successor that names the token
   * has therefore read the document to the end.
   */
  readonly endToken: string;
  readonly document: RunDocument | null;
  /** The recorded document, while Baton waits for a newer document that will replace it. Null at all other times. */
  readonly recordedDocument: RunDocument | null;
  /** The operator's comment on why the last document was sent back. */
  readonly comment: string | null;
  /**
   * Describes the work that the agent did after it had written the document. Set if the operator continues with the
   * document anyway.
   */
  readonly changedSince: string | null;
  readonly delivery: PromptDelivery | null;
  /**
   * The last reminder to a successor that ended its turn without an acknowledgment: the number of the reminder, and the
   * operator's text (null for Baton's own text).
   */
  readonly nudge: { readonly count: number; readonly said: string | null } | null;
  readonly deadlineAt: Instant | null;
  /**
   * The deadline of `waiting_safe_point`. This deadline is set only once, although the run may enter the step several
   * times.
   */
  readonly safePointDeadlineAt: Instant | null;
  /**
   * The time at which the deadline was paused because the agent waits for the operator. Null if the deadline is not
   * paused.
   */
  readonly pausedAt: Instant | null;
  /**
   * The time at which Baton last checked this run. Baton needs this time to postpone the deadlines of the run by the
   * time during which Baton was not running.
   */
  readonly lookedAt: Instant;
  /**
   * The time at which Baton tries to type again, after an attempt that was refused or not confirmed. Null if no attempt
   * is due.
   */
  readonly retryAt: Instant | null;
  readonly compactedSinceInstruction: boolean;
  /**
   * True if the operator ran `/clear` after the instruction. The agent has then forgotten the work that it must
   * describe.
   */
  readonly clearedSinceInstruction: boolean;
  /**
   * True if the operator ran `/clear` after the document was written. This document is valid, but a further document
   * from the agent would be useless.
   */
  readonly clearedSinceDocument: boolean;
  /** The client's summary of the context, if a compaction happened while the agent wrote the document. */
  readonly compactSummary: string | null;
  /** True if reconcile found the finished document before a Stop hook reported the end of the turn that wrote it. */
  readonly observedFacts: boolean;
  /**
   * True if the operator chose to continue although the agent is lost and Baton cannot tell whether its process still
   * runs.
   */
  readonly lostCountsAsGone: boolean;
  /** True if the agent finished the document only after the run had failed or was canceled. */
  readonly lateDocument: boolean;
  readonly findings: readonly Finding[];
  /** Next steps, questions and lessons of the document; null if Baton has not read a document of the agent. */
  readonly knowledge: DocumentKnowledge | null;
  /** True while the document is compared with the project. No successor starts during the comparison. */
  readonly isComparing: boolean;
  /** The state of git when the document was compared with the project. */
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
  knowledge: null,
  isComparing: false,
  git: null,
  broughtBackAgentId: null,
  recordedDocument: null,
  comment: null,
  changedSince: null,
  clearedSinceInstruction: false,
  clearedSinceDocument: false,
  observedFacts: false,
  nudge: null,
} as const satisfies Partial<Run>;

/** The states by which a list of runs can be filtered. */
export const RUN_STATES = ['in_flight', 'failed', 'completed', 'cancelled'] as const;
export type RunState = (typeof RUN_STATES)[number];

export const isOver = (run: Pick<Run, 'step'>): boolean =>
  run.step === 'completed' || run.step === 'failed' || run.step === 'cancelled';

export const takesPart = (run: Pick<Run, 'agentId' | 'successorAgentId'>, agentId: number): boolean =>
  run.agentId === agentId || run.successorAgentId === agentId;

/** The steps before Baton asks the outgoing agent to exit. A cancel at one of these steps leaves the agent as it is. */
export const BEFORE_EXIT: ReadonlySet<string> = new Set(STEPS.slice(0, STEPS.indexOf('shutting_down')));

/** True if the run has not yet asked the agent to exit (SPEC H33). */
export const canBeCancelled = ({ step, failure }: Pick<Run, 'step' | 'failure'>): boolean =>
  BEFORE_EXIT.has((step === 'failed' ? failure?.at : step) ?? '');

/**
 * Returns the hint for a request that is refused because of a run in flight. The hint suggests a cancel only if the
 * server would accept a cancel.
 */
export const howToWait = (run: Pick<Run, 'id' | 'step' | 'failure'>): string =>
  canBeCancelled(run)
    ? `Wait for that handoff, or cancel it first: baton handoff cancel ${run.id}`
    : `That handoff can no longer be canceled. Wait for it: baton handoff watch ${run.id}`;

/**
 * True if the run has no handoff record yet, or if Baton waits for a new document that will replace the recorded one.
 */
export const lacksRecord = ({ handoffId, recordedDocument }: Pick<Run, 'handoffId' | 'recordedDocument'>): boolean =>
  handoffId === null || recordedDocument !== null;

/** The handoff record, with exactly the six fields of specification 003. */
export interface Handoff {
  readonly id: number;
  readonly agentId: number;
  readonly reason: Reason;
  readonly filePath: string | null;
  readonly injectionPrompt: string | null;
  readonly createdAt: Instant;
}
