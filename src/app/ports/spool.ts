/** A hook event in a file. The hook script writes the file even if Baton is down or hangs. */
export interface SpooledHook {
  /**
   * Identifies the file. If Baton crashes after it has committed the facts of the file but before it removes the file,
   * the next server finds the file with the same key and does not log its facts again.
   */
  readonly key: string;
  readonly agentId: number;
  readonly token: string;
  readonly event: string;
  /** The process that ran the hook; null if the process is unknown. */
  readonly clientPid: number | null;
  /** Identifies the skill text that the hook printed when the session began; null if the hook printed none. */
  readonly given: string | null;
  /** The parsed JSON of the event; undefined if the file does not contain JSON. */
  readonly payload: unknown;
  /** The time at which the hook wrote the file, in milliseconds since 1970. */
  readonly writtenAtMs: number;
}

/** A report of an external session, sent by the operator's hooks when the session began or ended. */
export interface SpooledSession {
  readonly key: string;
  readonly runtime: string;
  readonly event: string;
  /** The parsed payload with which the agent program described the session. */
  readonly payload: unknown;
  /** The pid of the agent program. */
  readonly pid: number | null;
  readonly tmux: { readonly socket: string; readonly pane: string } | null;
  /** The version of the operator's hooks that sent this report. */
  readonly hooks: number;
  readonly writtenAtMs: number;
}

export type Spooled = SpooledHook | SpooledSession;

/** A session that Baton adopted. The operator started its client, so the client has no token in its environment. */
export interface Adopted {
  readonly agentId: number;
  readonly token: string;
  readonly pid: number;
  readonly mark: string;
  /** The file with the text that the hook prints when this agent's next session starts. */
  readonly sessionStartPath: string;
}

/** Hook events that were dropped. */
export interface Overflow {
  /**
   * Identifies the dropped events. If Baton crashes after it has reported them, the next server finds the same key and
   * does not report them again.
   */
  readonly key: string;
  readonly count: number;
  /**
   * True if the events were dropped because the disk refused them. In this case, more events may be lost than Baton
   * counted. False if the spool was full.
   */
  readonly couldNotBeWritten?: boolean;
}

export interface Spool {
  /**
   * Yields the waiting files in batches, oldest first, because reading all files at once could fill the memory. The
   * hooks of one agent come in the order in which they fired.
   */
  waiting(): AsyncIterable<readonly Spooled[]>;
  /**
   * Removes the file of a hook. Call this only after Baton has committed the facts that it read from the file. A second
   * call is safe.
   */
  remove(hook: Pick<Spooled, 'key'>): void | Promise<void>;
  /**
   * Returns the dropped events, if there are any. After this call, the spool stores new events again. Call this
   * function only after all waiting files were processed.
   */
  overflow(): Promise<Overflow | undefined>;
  /** Forgets the dropped events. Call this only after the events have been reported. */
  overflowTold(overflow: Overflow): Promise<void>;
  onArrival(listener: () => void): void;
  close(): void;
  /** Returns the shell command that an agent program runs for one hook event. */
  hookCommand(event: string): string;
  /** After this call, hooks of the given process count as hooks of this agent. A second call is safe. */
  listenTo(adopted: Adopted): Promise<void>;
  /** Returns true if Baton receives the hooks of at least one adopted agent. */
  isListening(): boolean;
  /**
   * Stops receiving the hooks of adopted agents that are not in `agentIds`. Returns the ids of the agents whose hooks
   * Baton still receives.
   */
  listenOnlyTo(agentIds: readonly number[]): Promise<readonly number[]>;
}
