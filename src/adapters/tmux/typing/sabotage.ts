/**
 * Faults that a benchmark causes on purpose, to show that the benchmark detects them. Only the benchmark passes these
 * faults; the product never does, and no environment variable enables them.
 */
export interface Sabotage {
  /**
   * If true, Baton checks the screen only before the paste, and the tmux command that pastes does not check it again.
   */
  readonly withoutGuard?: boolean;
  /**
   * If given, the delivery id is written onto the pane with a separate command after the paste, and this function is
   * called between the two commands.
   */
  readonly beforeMark?: () => Promise<void>;
}
