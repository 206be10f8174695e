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

export interface Spool {
  /** Oldest first; hooks of one agent in the order they were fired. */
  waiting(): Promise<readonly SpooledHook[]>;
  /** Only after the facts are committed. May be called twice. */
  remove(hook: SpooledHook): Promise<void>;
  onArrival(listener: () => void): void;
  close(): void;
  /** The shell command a runtime runs for one hook event. */
  hookCommand(event: string): string;
}
