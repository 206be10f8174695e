/**
 * Faults that a benchmark causes on purpose, to show that the benchmark detects such faults. Only the benchmark passes
 * these faults; the product never does, and no environment variable enables them.
 */
export interface Sabotage {
  /** If true, Baton checks the screen only before the paste, and not again in the tmux command that pastes. */
  readonly withoutGuard?: boolean;
  /**
   * If given, a separate command writes the delivery id onto the pane after the paste. This function is called between
   * the paste and that command.
   */
  readonly beforeMark?: () => Promise<void>;
}
