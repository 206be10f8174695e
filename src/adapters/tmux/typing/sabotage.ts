/**
 * Faults that a benchmark causes on purpose, to show that the benchmark detects such faults. Only the benchmark passes
 * these faults; the product never does, and no environment variable enables them.
 */
export interface Sabotage {
  /** If true, Baton checks the screen before the paste, but not once more in the tmux command that pastes. */
  readonly withoutGuard?: boolean;
  /**
   * If set, Baton pastes first, then calls this function, and only then writes the delivery id onto the pane with a
   * separate command.
   */
  readonly beforeMark?: () => Promise<void>;
}
