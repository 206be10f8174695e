import type { Instant } from '../instant.ts';
import type { Message } from '../messages/operator-message.ts';
import type { Answer, Question } from './question.ts';

/**
 * The pane that Baton types into. Only all five fields together identify a pane, because tmux reuses pane ids and a tag
 * stays on its pane when the process ends.
 */
export interface Pane {
  readonly serverPid: number;
  readonly serverStartedAt: number;
  readonly paneId: string;
  readonly panePid: number;
  readonly tag: string;
  /** Set only for a pane in the operator's own tmux. */
  readonly outside?: Outside;
}

/**
 * Describes a pane that Baton did not create: the socket of its tmux server, and the agent's process. The pane's own
 * process is usually the operator's shell, which keeps running when the agent ends.
 */
export interface Outside {
  readonly socket: string;
  /** The name of the tmux session when Baton last observed the pane. */
  readonly session: string;
  readonly pid: number;
  /** Distinguishes this process from a later process with the same pid. */
  readonly mark: string;
}

/** The process that must receive the keys that Baton types. */
export const agentProcess = ({ panePid, outside }: Pane): number => outside?.pid ?? panePid;

/** `unknown`: no evidence shows whether the agent is working or idle, so Baton types nothing into its pane. */
export const AGENT_STATES = ['starting', 'idle', 'working', 'awaiting_input', 'unknown', 'ended', 'lost'] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/**
 * Why an agent is in its state. Only causes that a rule depends on are listed; `stateReason` is the text for people.
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

/** Work that continues after its turn. A subagent ends by itself, but a shell may be a server that never ends. */
export interface BackgroundTask {
  readonly kind: 'shell' | 'subagent';
  readonly what: string;
}

/** Why Baton cannot type: the composer has unsent text, or a view that the operator opened covers the composer. */
export interface ComposerObstacle {
  readonly kind: 'draft' | 'view';
  /** The unsent text or the view, as it appears on the screen. */
  readonly shows: string;
}

export interface ContextUse {
  readonly usedPercent: number;
  readonly usedTokens: number | null;
  readonly windowTokens: number | null;
  readonly measuredAt: Instant;
}

/**
 * Progress of getting the persona's skill into this agent. `done`: a session began with the skill, or the turn that
 * received the typed skill has ended. Only then is the skill in the agent's context.
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
      /** Why the last try typed nothing. Absent in old rows. */
      readonly refusal?: string;
      /** Whether the skill reached the composer. If false, Baton waits for a free composer. Absent in old rows. */
      readonly pasted?: boolean;
    }
  | { readonly status: 'done'; readonly at: Instant; readonly warning: string | null }
  | { readonly status: 'failed'; readonly detail: string };

/**
 * Activity that the operator may want to be notified of although it needs no decision. It is stored with the agent, so
 * a restart of Baton neither loses nor repeats a notification.
 */
export interface Attention {
  /** When the current work began. The time of the agent's questions counts as work. Null while the agent is idle. */
  readonly worksSince: Instant | null;
  /** The agent became idle after long work and has received no prompt since. */
  readonly finished: { readonly workedMs: number } | null;
  /** The agent's context use has reached the threshold, for the first time in this session. */
  readonly isNear: boolean;
  /** The session in which the context use reached the threshold. Baton notifies only once per session. */
  readonly nearIn: string | null;
}

export interface Agent {
  readonly id: number;
  readonly hostId: string;
  readonly sessionUuid: string;
  readonly runtime: string;
  readonly runtimeSessionId: string | null;
  /** The session of another agent whose conversation this agent resumes; null for a new conversation. */
  readonly resumesSession: string | null;
  /** The process that began the agent's session. Hooks from any other process do not belong to this agent. */
  readonly clientPid: number | null;
  readonly projectId: number;
  readonly personaId: number | null;
  /** The agent's earlier personas, oldest first. Absent: none. */
  readonly wore?: readonly { readonly personaId: number; readonly until: Instant }[];
  readonly previousAgentId: number | null;
  /** sha256 of the token that the agent's hooks and its `baton ack` send. */
  readonly tokenHash: string;
  readonly tmuxSession: string;
  readonly pane: Pane | null;
  /** Set for an external session that Baton adopted or has released again. Absent for all other agents. */
  readonly adoption?: 'adopted' | 'released';
  readonly transcriptPath: string | null;
  /** The operator's own arguments for the agent's client; successors inherit them. Absent: none. */
  readonly clientArgs?: readonly string[];
  /** The permission mode that the client reported last, or started with; successors inherit it. Absent: unknown. */
  readonly permissionMode?: string;
  readonly state: AgentState;
  /** Why the agent is in that state, in words for people. No rule reads this text. */
  readonly stateReason: string;
  /** null: no rule depends on why the agent is in its state. */
  readonly stateCause: StateCause | null;
  readonly turnPromptId: string | null;
  /**
   * A Stop, the client's status or an interruption in the transcript has shown that the agent is idle, and no activity
   * was reported since. Absent in old rows.
   */
  readonly rested?: boolean;
  /** A prompt is queued after the running turn, so the agent keeps working when the turn ends. Absent in old rows. */
  readonly queued?: boolean;
  /** The operator started a compaction outside of any turn, so no Stop will follow. Absent in old rows. */
  readonly compactsAtRest?: boolean;
  /** Tasks that the agent's last turn left running, as named by its hook. Absent in old rows. */
  readonly background?: readonly BackgroundTask[];
  /** Why Baton cannot type into the composer of the idle agent; null if it can. Absent in old rows. */
  readonly obstacle?: ComposerObstacle | null;
  /** The last prompt from a person or program other than Baton. */
  readonly lastPrompt: string | null;
  /** The tool in use according to the agent's hooks; only shown to people. Absent in old rows. */
  readonly tool?: string | null;
  readonly context: ContextUse | null;
  readonly priming: Priming;
  /** The latest messages that the operator sent through Baton, oldest first. */
  readonly messages: readonly Message[];
  /** The question on the agent's screen, once Baton has read it; null unless the state is `awaiting_input`. */
  readonly question: Question | null;
  /** The operator's latest answers to the agent's questions, oldest first. */
  readonly answers: readonly Answer[];
  /** The activity that the operator may be notified of. Absent in old rows. */
  readonly attention?: Attention;
  /**
   * Until that time Baton notifies only of failures; null: until the operator unmutes the agent. Absent in old rows.
   */
  readonly muted?: { readonly until: Instant | null } | null;
  readonly startedAt: Instant;
  readonly registeredAt: Instant | null;
  readonly lastSeenAt: Instant;
  readonly endedAt: Instant | null;
  /** The worktree that the agent works in; absent or null: the project's own folder. */
  readonly worktreeId?: number | null;
  /** The boot id of the machine when the agent's process was started. Absent in old rows. */
  readonly bootId?: string | null;
  /** The agent was asked to exit, or its client reported that it exits, so Baton does not notify of the agent's end. */
  readonly isLeaving?: boolean;
  /** The operator's request to resume the conversation after an outage, and its result. Absent: no request. */
  readonly restore?: Restore | null;
}

export type Restore =
  | { readonly status: 'wanted'; readonly since: Instant }
  | { readonly status: 'failed'; readonly detail: string }
  | { readonly status: 'closed'; readonly detail: string };

export const shortUuid = (agent: Pick<Agent, 'sessionUuid'>): string => agent.sessionUuid.slice(0, 8);

/**
 * The tag of the agent's pane. The tag contains the session, so that after a loss of the database a new agent 1 does
 * not get the pane of the old agent 1.
 */
export const paneTag = (agent: Pick<Agent, 'tmuxSession' | 'sessionUuid'>): string =>
  `${agent.tmuxSession}-${shortUuid(agent)}`;

/** Returns whether the agent has or had this persona. */
export const hasHadPersona = ({ personaId, wore = [] }: Pick<Agent, 'personaId' | 'wore'>, id: number): boolean =>
  personaId === id || wore.some((each) => each.personaId === id);

export const isLive = (agent: Pick<Agent, 'state'>): boolean => agent.state !== 'ended' && agent.state !== 'lost';

/** Old rows lack `rested`; for these rows the state `idle` is the evidence. */
export const hasRested = ({ rested, state }: Pick<Agent, 'rested' | 'state'>): boolean => rested ?? state === 'idle';

export const isMuted = ({ muted }: Pick<Agent, 'muted'>, now: Instant): boolean =>
  muted !== undefined && muted !== null && (muted.until === null || now < muted.until);

/** The text of `stateReason` for the cause `launch_unknown`. */
export const LAUNCH_UNKNOWN = 'tmux has not said whether it was started';

export const isInMenu = ({ state, stateCause }: Pick<Agent, 'state' | 'stateCause'>): boolean =>
  state === 'awaiting_input' && stateCause === 'menu_open';

export const isWithoutTerminal = ({ state, stateCause }: Pick<Agent, 'state' | 'stateCause'>): boolean =>
  state === 'awaiting_input' && stateCause === 'terminal_taken';
