/** Hooks on their way in: files that the hook script left, whether Baton was up, down or hung. */
export interface SpooledHook {
  /** The same for the same file, also after a crash between commit and removal. */
  readonly key: string;
  readonly agentId: number;
  readonly token: string;
  readonly event: string;
  /** The process that ran the hook; null if it is not known. */
  readonly clientPid: number | null;
  /** The name of the text that the hook gave to the session; null if it gave none. */
  readonly given: string | null;
  /** Parsed JSON; undefined if it was none. */
  readonly payload: unknown;
}

/** A session that Baton did not start, and that told by the operator's own hooks that it began or ended. */
export interface SpooledSession {
  readonly key: string;
  readonly runtime: string;
  readonly event: string;
  /** What the agent program said about the session, parsed. */
  readonly payload: unknown;
  /** The agent program's process. */
  readonly pid: number | null;
  readonly tmux: { readonly socket: string; readonly pane: string } | null;
  /** The version of the operator's hooks that told it. */
  readonly hooks: number;
  readonly writtenAtMs: number;
}

export type Spooled = SpooledHook | SpooledSession;

/** An agent whose client has no token in its environment, because the operator started it. */
export interface Adopted {
  readonly agentId: number;
  readonly token: string;
  readonly pid: number;
  readonly mark: string;
  /** What the hook of its next session start prints. */
  readonly sessionStartPath: string;
}

/** Events that were not kept. */
export interface Overflow {
  /** The same for the same events, also after a crash between telling and forgetting. */
  readonly key: string;
  readonly count: number;
  /** The disk did not take them; there may have been more. Otherwise the spool was full. */
  readonly couldNotBeWritten?: boolean;
}

export interface Spool {
  /** Oldest first; hooks of one agent in the order they were fired. */
  waiting(): Promise<readonly Spooled[]>;
  /** Only after the facts are committed. May be called twice. */
  remove(hook: Pick<Spooled, 'key'>): Promise<void>;
  /** Asked once all that waited was taken in: from now on events are kept again. */
  overflow(): Promise<Overflow | undefined>;
  /** Only after it was told. */
  overflowTold(overflow: Overflow): Promise<void>;
  onArrival(listener: () => void): void;
  close(): void;
  /** The shell command a runtime runs for one hook event. */
  hookCommand(event: string): string;
  /** From now on the operator's own hooks, run by this process, speak for this agent. May be called twice. */
  listenTo(adopted: Adopted): Promise<void>;
  /** Whom they speak for; what is not among `agentIds` is silenced. */
  listenOnlyTo(agentIds: readonly number[]): Promise<readonly number[]>;
}
