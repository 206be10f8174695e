/** Hooks on their way in: files that the hook script left, whether Baton was up, down or hung. */
export interface SpooledHook {
  /** The same for the same file, also after a crash between commit and removal. */
  readonly key: string;
  readonly agentId: number;
  readonly token: string;
  readonly event: string;
  /** Parsed JSON; undefined if it was none. */
  readonly payload: unknown;
}

/** Events that came while the spool was full and were not kept. */
export interface Overflow {
  /** The same for the same events, also after a crash between telling and forgetting. */
  readonly key: string;
  readonly count: number;
}

export interface Spool {
  /** Oldest first; hooks of one agent in the order they were fired. */
  waiting(): Promise<readonly SpooledHook[]>;
  /** Only after the facts are committed. May be called twice. */
  remove(hook: SpooledHook): Promise<void>;
  /** Asked once all that waited was taken in: from now on events are kept again. */
  overflow(): Promise<Overflow | undefined>;
  /** Only after it was told. */
  overflowTold(): Promise<void>;
  onArrival(listener: () => void): void;
  close(): void;
  /** The shell command a runtime runs for one hook event. */
  hookCommand(event: string): string;
}
