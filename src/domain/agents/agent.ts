import type { Instant } from '../instant.ts';
import type { Message } from '../messages/operator-message.ts';
import type { Answer, Question } from './question.ts';

/** The pane that Baton types into. All five fields identify it: tmux reissues pane ids, and tags outlive processes. */
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
 * A pane that Baton did not create: its tmux server, and the process in it that is the agent. The pane's own process is
 * usually the operator's shell, which keeps running when the agent ends.
 */
export interface Outside {
  readonly socket: string;
  /** The name of the tmux session when Baton last observed it. */
  readonly session: string;
  readonly pid: number;
  /** Distinguishes this process from a later one with the same pid. */
  readonly mark: string;
}

/** The process that must receive the keys that Baton types. */
export const agentProcess = ({ panePid, outside }: Pane): number => outside?.pid ?? panePid;

/** `unknown`: no evidence says whether the agent is working or idle, so Baton types nothing into it. */
export const AGENT_STATES = ['starting', 'idle', 'working', 'awaiting_input', 'unknown', 'ended', 'lost'] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/**
 * Why an agent is in its state, where a rule depends on it; `stateReason` says it to people.
 *
 * - `launch_unknown`: tmux has not confirmed that the process runs. Until then the agent counts as live.
 * - `start_overdue`: its session has not begun in time.
 * - `launch_failed`: it ended because it could not be started.
 * - `terminal_taken`: a shell has the agent's terminal: the agent exited into it or was suspended.
 * - `menu_open`: the operator has opened a menu; the agent itself asks nothing.
 * - `interrupted`, `prompt_returned`: how its last turn was interrupted (`RestShown`).
 * - `turn_failed`: it is idle after a failed turn.
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

/** Work that outlives its turn. A subagent ends by itself; a shell may be a server that never ends. */
export interface BackgroundTask {
  readonly kind: 'shell' | 'subagent';
  readonly what: string;
}

/** The reason Baton cannot type: unsent text in the composer, or a view that the operator has opened over it. */
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
 * Progress of getting the persona's skill into this agent. `done` once a session began with the skill or, if Baton
 * typed it, once the turn that received it ended: only then the skill is in the context.
 */
export type Priming =
  | { readonly status: 'none' }
  | {
      readonly status: 'typing';
      readonly ref: string;
      readonly promptId: string | null;
      readonly accepted: boolean;
      readonly retryAt: Instant | null;
      /** The operator was notified that typing the skill is blocked. */
      readonly told: boolean;
      /** Why the last try typed nothing. Absent in old rows. */
      readonly refusal?: string;
      /** The skill reached the composer. While false, Baton only waits for a free composer. Absent in old rows. */
      readonly pasted?: boolean;
    }
  | { readonly status: 'done'; readonly at: Instant; readonly warning: string | null }
  | { readonly status: 'failed'; readonly detail: string };

/**
 * Activity that the operator may want to be notified of although it needs no decision. Stored with the agent, so that a
 * restart of Baton neither loses nor repeats a notification.
 */
export interface Attention {
  /** When the current work began; questions in between count as work. Null while idle. */
  readonly worksSince: Instant | null;
  /** The agent became idle after long work and has received no prompt since. */
  readonly finished: { readonly workedMs: number } | null;
  /** Its context use reached the threshold for the first time in this session. */
  readonly isNear: boolean;
  /** The session in which it did: Baton does not notify again after a compaction. */
  readonly nearIn: string | null;
}

export interface Agent {
  readonly id: number;
  readonly hostId: string;
  readonly sessionUuid: string;
  readonly runtime: string;
  readonly runtimeSessionId: string | null;
  /** The session of another agent whose conversation this one resumes; null if it began its own. */
  readonly resumesSession: string | null;
  /** The process that began its session. Hooks from any other process are not this agent's. */
  readonly clientPid: number | null;
  readonly projectId: number;
  readonly personaId: number | null;
  /** Its earlier personas, oldest first. Absent: none. */
  readonly wore?: readonly { readonly personaId: number; readonly until: Instant }[];
  readonly previousAgentId: number | null;
  /** sha256 of the token its hooks and its `baton ack` carry. */
  readonly tokenHash: string;
  readonly tmuxSession: string;
  readonly pane: Pane | null;
  /** Set for an external session that Baton adopted or has released again. Absent for all other agents. */
  readonly adoption?: 'adopted' | 'released';
  readonly transcriptPath: string | null;
  /** The operator's own arguments for its client; inherited by successors. Absent: none. */
  readonly clientArgs?: readonly string[];
  /** The permission mode last reported by its client, or the one at start; inherited by successors. Absent: unknown. */
  readonly permissionMode?: string;
  readonly state: AgentState;
  /** Why it is in that state, in words for people. No rule reads it. */
  readonly stateReason: string;
  /** null: no rule depends on why. */
  readonly stateCause: StateCause | null;
  readonly turnPromptId: string | null;
  /**
   * A Stop, its client's status or an interruption in its transcript has said that it is idle, and no activity was
   * reported since. Absent in old rows.
   */
  readonly rested?: boolean;
  /** A prompt is queued behind the running turn: the agent keeps working after the turn ends. Absent in old rows. */
  readonly queued?: boolean;
  /** It compacts its context on the operator's command, outside any turn: no Stop will follow. Absent in old rows. */
  readonly compactsAtRest?: boolean;
  /** Tasks that its last turn left running, as named by its hook. Absent in old rows. */
  readonly background?: readonly BackgroundTask[];
  /** Why Baton cannot type into its composer although it is idle; null if it can. Absent in old rows. */
  readonly obstacle?: ComposerObstacle | null;
  /** The last prompt from a person or program other than Baton. */
  readonly lastPrompt: string | null;
  /** The tool in use according to its hooks; shown to people only. Absent in old rows. */
  readonly tool?: string | null;
  readonly context: ContextUse | null;
  readonly priming: Priming;
  /** The latest messages that the operator sent through Baton, oldest first. */
  readonly messages: readonly Message[];
  /** The question on its screen, once Baton has read it; null unless the state is `awaiting_input`. */
  readonly question: Question | null;
  /** The operator's latest answers to its questions, oldest first. */
  readonly answers: readonly Answer[];
  /** Absent in old rows. */
  readonly attention?: Attention;
  /** Only failures are notified, until that time or (null) until the operator unmutes it. Absent in old rows. */
  readonly muted?: { readonly until: Instant | null } | null;
  readonly startedAt: Instant;
  readonly registeredAt: Instant | null;
  readonly lastSeenAt: Instant;
  readonly endedAt: Instant | null;
  /** The worktree that it works in; absent or null: the project's own folder. */
  readonly worktreeId?: number | null;
  /** The boot id of the machine when its process was started. Absent in old rows. */
  readonly bootId?: string | null;
  /** It was asked to exit, or its client said that it exits: Baton does not notify of its end. */
  readonly isLeaving?: boolean;
  /** Whether the operator asked to resume its conversation after an outage, and how that ended. Absent: not asked. */
  readonly restore?: Restore | null;
}

export type Restore =
  | { readonly status: 'wanted'; readonly since: Instant }
  | { readonly status: 'failed'; readonly detail: string }
  | { readonly status: 'closed'; readonly detail: string };

export const shortUuid = (agent: Pick<Agent, 'sessionUuid'>): string => agent.sessionUuid.slice(0, 8);

/** Tag of its pane. Contains the session: after a lost database, a new agent 1 must not take the old one's pane. */
export const paneTag = (agent: Pick<Agent, 'tmuxSession' | 'sessionUuid'>): string =>
  `${agent.tmuxSession}-${shortUuid(agent)}`;

/** Does the agent have this persona, or did it have it before? */
export const hasHadPersona = ({ personaId, wore = [] }: Pick<Agent, 'personaId' | 'wore'>, id: number): boolean =>
  personaId === id || wore.some((each) => each.personaId === id);

export const isLive = (agent: Pick<Agent, 'state'>): boolean => agent.state !== 'ended' && agent.state !== 'lost';

/** Old rows lack `rested`; for them the state `idle` is the evidence. */
export const hasRested = ({ rested, state }: Pick<Agent, 'rested' | 'state'>): boolean => rested ?? state === 'idle';

export const isMuted = ({ muted }: Pick<Agent, 'muted'>, now: Instant): boolean =>
  muted !== undefined && muted !== null && (muted.until === null || now < muted.until);

/** The words for `launch_unknown`. */
export const LAUNCH_UNKNOWN = 'tmux has not said whether it was started';

export const isInMenu = ({ state, stateCause }: Pick<Agent, 'state' | 'stateCause'>): boolean =>
  state === 'awaiting_input' && stateCause === 'menu_open';

export const isWithoutTerminal = ({ state, stateCause }: Pick<Agent, 'state' | 'stateCause'>): boolean =>
  state === 'awaiting_input' && stateCause === 'terminal_taken';
