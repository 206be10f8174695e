/** A hook as a file that the hook script left, whether Baton was up, down or hung. */
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

/** An external session that reported its begin or end through the operator's hooks. */
export interface SpooledSession {
  readonly key: string;
  readonly runtime: string;
  readonly event: string;
  /** The agent program's parsed payload about the session. */
  readonly payload: unknown;
  /** The agent program's process. */
  readonly pid: number | null;
  readonly tmux: { readonly socket: string; readonly pane: string } | null;
  /** The version of the operator's hooks that reported it. */
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
  /** The file that the hook of its next session start prints. */
  readonly sessionStartPath: string;
}

/** Events that were dropped. */
export interface Overflow {
  /** The same for the same events, also after a crash between reporting and `overflowTold`. */
  readonly key: string;
  readonly count: number;
  /** true: the disk refused them, and there may have been more. Otherwise the spool was full. */
  readonly couldNotBeWritten?: boolean;
}

export interface Spool {
  /** Oldest first; hooks of one agent in the order they were fired. */
  waiting(): Promise<readonly Spooled[]>;
  /** Call only after the facts are committed. May be called twice. */
  remove(hook: Pick<Spooled, 'key'>): Promise<void>;
  /** Called after everything waiting was taken in; from then on events are stored again. */
  overflow(): Promise<Overflow | undefined>;
  /** Call only after the overflow was reported. */
  overflowTold(overflow: Overflow): Promise<void>;
  onArrival(listener: () => void): void;
  close(): void;
  /** The shell command a runtime runs for one hook event. */
  hookCommand(event: string): string;
  /**
   * From now on, hooks of the operator's settings that this process runs count as this agent's. May be called twice.
   */
  listenTo(adopted: Adopted): Promise<void>;
  /** Stops listening to adopted agents that are not in `agentIds`; returns those still listened to. */
  listenOnlyTo(agentIds: readonly number[]): Promise<readonly number[]>;
}
