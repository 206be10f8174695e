/** A hook in the form of a file that the hook script wrote. The script writes it even if Baton is down or hangs. */
export interface SpooledHook {
  /** Identifies the file. It is the same after a crash between commit and removal. */
  readonly key: string;
  readonly agentId: number;
  readonly token: string;
  readonly event: string;
  /** The process that ran the hook; null if it is not known. */
  readonly clientPid: number | null;
  /** The name of the text that the hook gave to the session; null if it gave no text. */
  readonly given: string | null;
  /** The parsed JSON of the event; undefined if it was not JSON. */
  readonly payload: unknown;
}

/** A report of an external session, sent by the operator's hooks when the session began or ended. */
export interface SpooledSession {
  readonly key: string;
  readonly runtime: string;
  readonly event: string;
  /** The agent program's parsed payload about the session. */
  readonly payload: unknown;
  /** The agent program's process. */
  readonly pid: number | null;
  readonly tmux: { readonly socket: string; readonly pane: string } | null;
  /** The version of the operator's hooks that sent this report. */
  readonly hooks: number;
  readonly writtenAtMs: number;
}

export type Spooled = SpooledHook | SpooledSession;

/** An adopted agent. Its client has no token in its environment, because the operator started it. */
export interface Adopted {
  readonly agentId: number;
  readonly token: string;
  readonly pid: number;
  readonly mark: string;
  /** The file that the hook prints when the next session of this agent starts. */
  readonly sessionStartPath: string;
}

/** Events that were dropped. */
export interface Overflow {
  /** Identifies the dropped events. It is the same after a crash between the report and `overflowTold`. */
  readonly key: string;
  readonly count: number;
  /** true: the disk refused the events, and there may have been more. Otherwise the spool was full. */
  readonly couldNotBeWritten?: boolean;
}

export interface Spool {
  /** Returns the waiting files, oldest first. The hooks of one agent are in the order in which they fired. */
  waiting(): Promise<readonly Spooled[]>;
  /** Removes a file. Call it only after the facts of the file are committed; calling it twice is allowed. */
  remove(hook: Pick<Spooled, 'key'>): Promise<void>;
  /**
   * Returns the dropped events, if there are any. Call it after all waiting files were processed; from then on new
   * events are stored again.
   */
  overflow(): Promise<Overflow | undefined>;
  /** Forgets the dropped events. Call it only after they were reported. */
  overflowTold(overflow: Overflow): Promise<void>;
  onArrival(listener: () => void): void;
  close(): void;
  /** Returns the shell command that a runtime runs for one hook event. */
  hookCommand(event: string): string;
  /** From now on, hooks that this process runs count as hooks of this agent. Calling it twice is allowed. */
  listenTo(adopted: Adopted): Promise<void>;
  /** Stops listening to adopted agents that are not in `agentIds`; returns the ids of those it still listens to. */
  listenOnlyTo(agentIds: readonly number[]): Promise<readonly number[]>;
}
