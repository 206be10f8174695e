import type { Instant } from '../instant.ts';
import type { Message } from '../messages/operator-message.ts';
import type { Answer, Question } from './question.ts';

/** Where an agent can be typed to. All five together are its identity: tmux reissues pane ids, and tags outlive processes. */
export interface Pane {
  readonly serverPid: number;
  readonly serverStartedAt: number;
  readonly paneId: string;
  readonly panePid: number;
  readonly tag: string;
  /** Only of a pane in the operator's own tmux. */
  readonly outside?: Outside;
}

/**
 * A pane that Baton did not make: on which tmux server it is, and which process in it is the agent. The pane's own
 * process is mostly the operator's shell, which goes on when the agent ends.
 */
export interface Outside {
  readonly socket: string;
  /** The name of the tmux session, as it was when it was looked at. */
  readonly session: string;
  readonly pid: number;
  /** Tells this process from a later one with the same number. */
  readonly mark: string;
}

/** The process that what is typed must reach. */
export const agentProcess = ({ panePid, outside }: Pane): number => outside?.pid ?? panePid;

/** `unknown`: nothing says whether it works or rests, so nothing is typed to it. */
export const AGENT_STATES = ['starting', 'idle', 'working', 'awaiting_input', 'unknown', 'ended', 'lost'] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/** Work that outlives the turn that began it. A subagent ends by itself; a shell may be a server that never does. */
export interface BackgroundTask {
  readonly kind: 'shell' | 'subagent';
  readonly what: string;
}

/** What stands in the way of typing: unsent text, or a view that the operator has opened over the composer. */
export interface ComposerObstacle {
  readonly kind: 'draft' | 'view';
  /** The text, or the view, as it is seen. */
  readonly shows: string;
}

export interface ContextUse {
  readonly usedPercent: number;
  readonly usedTokens: number | null;
  readonly windowTokens: number | null;
  readonly measuredAt: Instant;
}

/**
 * How far the persona's skill has got into this agent. `done` once its session began with it or, where it is typed, once
 * the turn that took it ended: then the skill really is in the context.
 */
export type Priming =
  | { readonly status: 'none' }
  | {
      readonly status: 'typing';
      readonly ref: string;
      readonly promptId: string | null;
      readonly accepted: boolean;
      readonly retryAt: Instant | null;
      /** The operator has heard that it does not go in. */
      readonly told: boolean;
      /** Why it was not typed at the last try. Absent in old rows. */
      readonly refusal?: string;
      /** It stands in the composer or went through it; what only waits for a free composer may wait. Absent in old rows. */
      readonly pasted?: boolean;
    }
  | { readonly status: 'done'; readonly at: Instant; readonly warning: string | null }
  | { readonly status: 'failed'; readonly detail: string };

/**
 * What an agent does that somebody may want to hear of although nothing has to be decided. It is kept with the agent, so
 * that a restart neither forgets nor repeats it.
 */
export interface Attention {
  /** Since when it works; questions in between are part of the work. Null at rest. */
  readonly worksSince: Instant | null;
  /** It rests after long work, and has not been asked anything since. */
  readonly finished: { readonly workedMs: number } | null;
  /** Its context use is at the threshold, for the first time in this session. */
  readonly isNear: boolean;
  /** The session in which that was so: after a compaction it is not told again. */
  readonly nearIn: string | null;
}

export interface Agent {
  readonly id: number;
  readonly hostId: string;
  readonly sessionUuid: string;
  readonly runtime: string;
  readonly runtimeSessionId: string | null;
  /** The conversation of another agent that this one goes on with; null if it began its own. */
  readonly resumesSession: string | null;
  /** The process whose hooks speak for it: the one that began its session. */
  readonly clientPid: number | null;
  readonly projectId: number;
  readonly personaId: number | null;
  /** The personas it had before this one, oldest first. Absent where there was no other. */
  readonly wore?: readonly { readonly personaId: number; readonly until: Instant }[];
  readonly previousAgentId: number | null;
  /** sha256 of the token its hooks and its `baton ack` carry. */
  readonly tokenHash: string;
  readonly tmuxSession: string;
  readonly pane: Pane | null;
  /** Of a session that the operator started himself: it is Baton's agent, or was given back. Absent for all others. */
  readonly adoption?: 'adopted' | 'released';
  readonly transcriptPath: string | null;
  /** The operator's own arguments for its client; inherited by successors. Absent: none. */
  readonly clientArgs?: readonly string[];
  /** The permission mode that its client said last, or that it was started with; inherited by successors. Absent: not known. */
  readonly permissionMode?: string;
  readonly state: AgentState;
  /** Why it is in that state, in words. */
  readonly stateReason: string;
  readonly turnPromptId: string | null;
  /**
   * Something has said that it rests (a Stop, its client's status, an interruption in its transcript), and nothing that it
   * does has been heard of since. Absent in old rows.
   */
  readonly rested?: boolean;
  /** A prompt waits behind the turn that runs: the end of this turn is not the end of its work. Absent in old rows. */
  readonly queued?: boolean;
  /** It compacts its context by the operator's command, outside of any turn; no Stop tells its end. Absent in old rows. */
  readonly compactsAtRest?: boolean;
  /** What its last turn left running, as far as its hook named it. Absent in old rows. */
  readonly background?: readonly BackgroundTask[];
  /** Why its composer cannot be typed into although it rests; null if it can. Absent in old rows. */
  readonly obstacle?: ComposerObstacle | null;
  /** The last thing a person or program other than Baton asked of it. */
  readonly lastPrompt: string | null;
  /** The tool that it uses, as far as hooks have told; for people. Absent in old rows. */
  readonly tool?: string | null;
  readonly context: ContextUse | null;
  readonly priming: Priming;
  /** The latest that the operator sent through Baton, oldest first. */
  readonly messages: readonly Message[];
  /** What it asks, once it was read off its screen; null unless it is awaiting input. */
  readonly question: Question | null;
  /** The latest that the operator gave to its questions, oldest first. */
  readonly answers: readonly Answer[];
  /** Absent in old rows. */
  readonly attention?: Attention;
  /** Nothing but failures is told of it outside of Baton, until then or until it is unmuted. Absent in old rows. */
  readonly muted?: { readonly until: Instant | null } | null;
  readonly startedAt: Instant;
  readonly registeredAt: Instant | null;
  readonly lastSeenAt: Instant;
  readonly endedAt: Instant | null;
  /** The worktree that it works in; absent or null: the project's own folder. */
  readonly worktreeId?: number | null;
  /** The boot of the machine in which its process was started; absent in old rows. */
  readonly bootId?: string | null;
  /** It was asked to leave, or has said that it does: its end is no news. */
  readonly isLeaving?: boolean;
  /** The operator wants its conversation back after an outage; where that could not be, why. */
  readonly restore?: Restore | null;
}

export type Restore =
  | { readonly status: 'wanted'; readonly since: Instant }
  | { readonly status: 'failed'; readonly detail: string };

export const shortUuid = (agent: Pick<Agent, 'sessionUuid'>): string => agent.sessionUuid.slice(0, 8);

/** Marks its pane. With the session in it: after a lost database agent 1 is another agent, and must not take the old one's pane. */
export const paneTag = (agent: Pick<Agent, 'tmuxSession' | 'sessionUuid'>): string =>
  `${agent.tmuxSession}-${shortUuid(agent)}`;

/** Does it have this persona, or did it once? */
export const hasHadPersona = ({ personaId, wore = [] }: Pick<Agent, 'personaId' | 'wore'>, id: number): boolean =>
  personaId === id || wore.some((each) => each.personaId === id);

export const isLive = (agent: Pick<Agent, 'state'>): boolean => agent.state !== 'ended' && agent.state !== 'lost';

/** Old rows do not say it, and were idle by what was known then. */
export const hasRested = ({ rested, state }: Pick<Agent, 'rested' | 'state'>): boolean => rested ?? state === 'idle';

export const isMuted = ({ muted }: Pick<Agent, 'muted'>, now: Instant): boolean =>
  muted !== undefined && muted !== null && (muted.until === null || now < muted.until);

/** The reason of `starting` where tmux has not said whether the process runs: until it does, the agent counts as live. */
export const LAUNCH_UNKNOWN = 'tmux has not said whether it was started';

/** The reason of `starting` while a session of the operator's becomes an agent. */
export const BEING_ADOPTED = 'is being adopted';

/** The reason of `awaiting_input` where the agent asks nothing: it left a shell behind, or was stopped under one. */
export const TERMINAL_TAKEN = 'another program has its terminal';

/** How the reason of `awaiting_input` begins where the operator has opened a menu: the agent asks nothing. */
export const MENU_OPEN = 'a menu is open in its terminal';

export const isInMenu = (agent: Pick<Agent, 'state' | 'stateReason'>): boolean =>
  agent.state === 'awaiting_input' && agent.stateReason.startsWith(MENU_OPEN);

export const isWithoutTerminal = (agent: Pick<Agent, 'state' | 'stateReason'>): boolean =>
  agent.state === 'awaiting_input' && agent.stateReason === TERMINAL_TAKEN;
