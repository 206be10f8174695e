import type { AutoHandoff } from '../handoffs/policy/auto-handoff.ts';
import type { HandoffPolicy } from '../handoffs/policy/policy.ts';
import type { Instant } from '../instant.ts';
import type { AgentLimit } from '../limits/usage-limit.ts';
import type { FirstPrompt, Message } from '../messages/operator-message.ts';
import type { AgentUsage } from '../usage/usage.ts';
import type { Answer, Question } from './question.ts';

/**
 * Identifies the pane that Baton types into. The id of the pane alone is not enough, because tmux reuses pane ids. The
 * tag alone is not enough either, because a pane keeps its tag when the process in the pane ends.
 */
export interface Pane {
  readonly serverPid: number;
  readonly serverStartedAt: number;
  readonly paneId: string;
  readonly panePid: number;
  readonly tag: string;
  /** Details of a pane in the operator's own tmux server. Absent for a pane that Baton created. */
  readonly outside?: Outside;
}

/**
 * A pane that Baton did not create. `socket` is the socket of the pane's tmux server, and `pid` is the agent's process.
 * The first process of such a pane is usually the operator's shell, which keeps running when the agent ends.
 */
export interface Outside {
  readonly socket: string;
  /** The name of the tmux session when Baton last observed the pane. */
  readonly session: string;
  readonly pid: number;
  /** Distinguishes the process from a later process that gets the same pid. */
  readonly mark: string;
}

/** Returns the id of the process that must receive the keys that Baton types. */
export const agentProcess = ({ panePid, outside }: Pane): number => outside?.pid ?? panePid;

/**
 * In the state `unknown`, there is no evidence whether the agent is working or idle, so Baton types nothing into its
 * pane. In the state `limited`, the agent is idle, but its model refuses every turn because of a usage limit.
 */
export const AGENT_STATES = [
  'starting',
  'idle',
  'working',
  'awaiting_input',
  'limited',
  'unknown',
  'ended',
  'lost',
] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/**
 * The reason why an agent is in its state. Only causes that a rule depends on are listed; `stateReason` is the text for
 * people.
 *
 * - `launch_unknown`: tmux has not confirmed that the process runs. Until then the agent counts as live.
 * - `start_overdue`: the agent's session has not begun in time.
 * - `launch_failed`: the agent ended because its program could not be started.
 * - `terminal_taken`: a shell has the agent's terminal, because the agent exited or was suspended.
 * - `menu_open`: the operator has opened a menu; the agent itself asks nothing.
 * - `interrupted`, `prompt_returned`: how the agent's last turn was interrupted (see `RestShown`).
 * - `turn_failed`: the agent is idle after a failed turn.
 */
export type StateCause =
  | 'launch_unknown'
  | 'start_overdue'
  | 'launch_failed'
  | 'terminal_taken'
  | 'menu_open'
  | 'interrupted'
  | 'prompt_returned'
  | 'turn_failed';

/**
 * Work that continues in the background after the agent's turn has ended. A subagent ends by itself, but a shell may be
 * a server that never ends.
 */
export interface BackgroundTask {
  readonly kind: 'shell' | 'subagent';
  readonly what: string;
}

/**
 * The reason why Baton cannot type: the composer has unsent text (`draft`), or the operator opened a view that covers
 * the composer (`view`).
 */
export interface ComposerObstacle {
  readonly kind: 'draft' | 'view';
  /** How the screen shows the obstacle: the unsent text, or a line of the view that covers the composer. */
  readonly shows: string;
}

export interface ContextUse {
  readonly usedPercent: number;
  readonly usedTokens: number | null;
  readonly windowTokens: number | null;
  readonly measuredAt: Instant;
}

/**
 * How far Baton has delivered the persona's skill to this agent. `done`: a session began with the skill, or the turn
 * that received the typed skill has ended. In any other state, the skill may be missing in the agent's context.
 */
export type Priming =
  | { readonly status: 'none' }
  | {
      readonly status: 'typing';
      readonly ref: string;
      readonly promptId: string | null;
      readonly accepted: boolean;
      readonly retryAt: Instant | null;
      /** Whether the operator was notified that typing the skill is blocked. */
      readonly told: boolean;
      /** The reason why the last attempt to type the skill was refused. Absent in rows of older versions. */
      readonly refusal?: string;
      /**
       * Whether the skill was pasted into the composer. If false, Baton waits until the composer is free. Absent in
       * rows of older versions.
       */
      readonly pasted?: boolean;
    }
  | { readonly status: 'done'; readonly at: Instant; readonly warning: string | null }
  | { readonly status: 'failed'; readonly detail: string };

/**
 * Activity that needs no decision, but of which the operator can be notified. The activity is stored with the agent, so
 * a restart of Baton neither loses nor repeats a notification.
 */
export interface Attention {
  /**
   * When the agent's current work began; null while the agent is idle. Waiting for the answer to a question counts as
   * work.
   */
  readonly worksSince: Instant | null;
  /**
   * How long the agent worked before it became idle. Set only if the agent worked long and has received no prompt since
   * then, and null otherwise.
   */
  readonly finished: { readonly workedMs: number } | null;
  /**
   * True if the agent's context use is at the threshold, and reached the threshold for the first time in this session.
   */
  readonly isNear: boolean;
  /**
   * The session in which the context use last reached the threshold. This field is needed because Baton notifies the
   * operator only once per session.
   */
  readonly nearIn: string | null;
}

/** How a turn ended, as the client reported it. */
export type EarlyEnd = { readonly promptId: string } & (
  | {
      readonly type: 'turn_ended';
      readonly backgroundTasks: number;
      readonly background?: readonly BackgroundTask[];
    }
  | { readonly type: 'turn_failed'; readonly error: string }
);

export interface Agent {
  readonly id: number;
  readonly hostId: string;
  readonly sessionUuid: string;
  readonly runtime: string;
  readonly runtimeSessionId: string | null;
  /** The session of the agent whose conversation this agent resumes; null if this agent began a new conversation. */
  readonly resumesSession: string | null;
  /** The process that began the agent's session. Hooks from any other process do not belong to this agent. */
  readonly clientPid: number | null;
  readonly projectId: number;
  readonly personaId: number | null;
  /** The agent's earlier personas, oldest first. Absent if there are none. */
  readonly wore?: readonly { readonly personaId: number; readonly until: Instant }[];
  readonly previousAgentId: number | null;
  /** sha256 of the token that the agent's hooks and its `baton ack` send. */
  readonly tokenHash: string;
  readonly tmuxSession: string;
  readonly pane: Pane | null;
  /** Set for an agent that was an external session before Baton adopted it. Absent for all other agents. */
  readonly adoption?: 'adopted' | 'released';
  readonly transcriptPath: string | null;
  /**
   * The operator's own arguments for the client; successors of the same runtime inherit them. Absent if there are none.
   */
  readonly clientArgs?: readonly string[];
  /**
   * The model that the operator chose; successors of the same runtime inherit it. Absent if the client chooses the
   * model.
   */
  readonly model?: string;
  /**
   * The permission mode that the client last reported or was started with; successors inherit it. Absent if the mode is
   * unknown.
   */
  readonly permissionMode?: string;
  readonly state: AgentState;
  /** The reason why the agent is in its current state, in words for people. No rule reads this text. */
  readonly stateReason: string;
  /** The cause of the agent's state; null if no rule depends on the cause. */
  readonly stateCause: StateCause | null;
  readonly turnPromptId: string | null;
  /** The id of the last turn whose prompt was reported. Absent in rows of older versions. */
  readonly lastTurnId?: string | null;
  /**
   * Set if the client reported the end of a turn before the prompt of that turn, because the hook of the prompt is
   * late. Absent in rows of older versions.
   */
  readonly earlyEnd?: EarlyEnd | null;
  /**
   * True if the agent is known to be idle: a Stop, the client's status or an interruption in the transcript showed
   * this, and the agent has shown no activity since then. Absent in rows of older versions.
   */
  readonly rested?: boolean;
  /**
   * True if another prompt is queued behind the running turn. The agent then keeps working when the turn ends. Absent
   * in rows of older versions.
   */
  readonly queued?: boolean;
  /**
   * True if the operator started a compaction while no turn was running. No Stop hook follows such a compaction. Absent
   * in rows of older versions.
   */
  readonly compactsAtRest?: boolean;
  /** Tasks that the agent's last turn left running, as reported by a hook. Absent in rows of older versions. */
  readonly background?: readonly BackgroundTask[];
  /**
   * The reason why Baton cannot type into the composer of the idle agent. Null if Baton can type. Absent in rows of
   * older versions.
   */
  readonly obstacle?: ComposerObstacle | null;
  /** The usage limit that the agent is under; null if there is none. Absent in rows of older versions. */
  readonly limit?: AgentLimit | null;
  /** The last prompt from a person or program other than Baton. */
  readonly lastPrompt: string | null;
  /**
   * The tool that the agent now uses, according to its hooks. No rule depends on the tool; it is only shown to people.
   * Absent in rows of older versions.
   */
  readonly tool?: string | null;
  readonly context: ContextUse | null;
  /** The tokens and the cost that the agent's client has reported so far. Absent if the client has reported nothing. */
  readonly usage?: AgentUsage;
  readonly priming: Priming;
  /** The latest messages that the operator sent through Baton, oldest first. */
  readonly messages: readonly Message[];
  /** The prompt that the operator gave when starting the agent. Absent if there is none. */
  readonly firstPrompt?: FirstPrompt | null;
  /** The question on the agent's screen, once Baton has read it; null unless the state is `awaiting_input`. */
  readonly question: Question | null;
  /** The operator's latest answers to the agent's questions, oldest first. */
  readonly answers: readonly Answer[];
  /** The activity of which the operator can be notified. Absent in rows of older versions. */
  readonly attention?: Attention;
  /**
   * Set if the operator muted the agent. Baton then notifies only of failures until the time `until`. If `until` is
   * null, the agent stays muted until the operator unmutes it. Absent in rows of older versions.
   */
  readonly muted?: { readonly until: Instant | null } | null;
  /** The handoff policy that the operator set for this agent and its successors. Absent or null if there is none. */
  readonly policy?: HandoffPolicy | null;
  /**
   * The id of the first agent in this agent's chain of successors. All agents of a chain share their open points.
   * Absent in the first agent itself and in rows of older versions.
   */
  readonly lineage?: number;
  /** The state of automatic handoffs. Absent in rows of older versions. */
  readonly auto?: AutoHandoff;
  readonly startedAt: Instant;
  readonly registeredAt: Instant | null;
  readonly lastSeenAt: Instant;
  readonly endedAt: Instant | null;
  /** The worktree that the agent works in. If it is absent or null, the agent works in the project's own folder. */
  readonly worktreeId?: number | null;
  /** The boot id of the machine when the agent's process was started. Absent in rows of older versions. */
  readonly bootId?: string | null;
  /**
   * True if the agent was asked to exit or its client reported that it exits. Baton then sends no notification of the
   * agent's end.
   */
  readonly isLeaving?: boolean;
  /**
   * Whether the restore of the agent after an outage has been requested, has failed, or is no longer offered. Absent if
   * none of these applies.
   */
  readonly restore?: Restore | null;
  /**
   * The work that was interrupted because the agent's process ended or its pane was lost. Set only if the agent was
   * working or asking a question at that moment. A new agent that resumes the conversation keeps a copy of this field
   * until its next prompt. Absent in rows of older versions.
   */
  readonly cutOff?: CutOff | null;
}

export interface CutOff {
  readonly state: 'working' | 'awaiting_input';
  /** The interrupted activity: the agent's work and its last prompt, or the question that the agent asked. */
  readonly doing: string;
  readonly at: Instant;
}

export type Restore =
  | { readonly status: 'wanted'; readonly since: Instant }
  | { readonly status: 'failed'; readonly detail: string }
  | { readonly status: 'closed'; readonly detail: string };

/** Returns the id of the chain of successors that an agent belongs to. */
export const lineageOf = ({ id, lineage = id }: Pick<Agent, 'id' | 'lineage'>): number => lineage;

export const shortUuid = (agent: Pick<Agent, 'sessionUuid'>): string => agent.sessionUuid.slice(0, 8);

/**
 * Returns the tag of the agent's pane. The tag contains the session id. If the database is lost and the numbers of
 * agents begin again at 1, the new agent 1 therefore does not get the pane of the old agent 1.
 */
export const paneTag = (agent: Pick<Agent, 'tmuxSession' | 'sessionUuid'>): string =>
  `${agent.tmuxSession}-${shortUuid(agent)}`;

/** Returns whether the agent has or had this persona. */
export const hasHadPersona = ({ personaId, wore = [] }: Pick<Agent, 'personaId' | 'wore'>, id: number): boolean =>
  personaId === id || wore.some((each) => each.personaId === id);

/** Returns whether the agent's context use is known and has reached the handoff threshold, given in percent. */
export const hasReachedThreshold = ({ context }: Pick<Agent, 'context'>, handoffAtPercent: number): boolean =>
  context !== null && context.usedPercent >= handoffAtPercent;

export const isLive = (agent: Pick<Agent, 'state'>): boolean => agent.state !== 'ended' && agent.state !== 'lost';

/**
 * Returns whether the agent is known to be idle. Rows of older versions have no field `rested`; for such a row, the
 * state `idle` is enough.
 */
export const hasRested = ({ rested, state }: Pick<Agent, 'rested' | 'state'>): boolean => rested ?? state === 'idle';

export const isMuted = ({ muted }: Pick<Agent, 'muted'>, now: Instant): boolean =>
  muted !== undefined && muted !== null && (muted.until === null || now < muted.until);

/** The text of `stateReason` for the cause `launch_unknown`. */
export const LAUNCH_UNKNOWN = 'tmux has not said whether it was started';

export const isInMenu = ({ state, stateCause }: Pick<Agent, 'state' | 'stateCause'>): boolean =>
  state === 'awaiting_input' && stateCause === 'menu_open';

export const isWithoutTerminal = ({ state, stateCause }: Pick<Agent, 'state' | 'stateCause'>): boolean =>
  state === 'awaiting_input' && stateCause === 'terminal_taken';
