/**
 * Faults that a bench plants to show that the bench detects them. Only the bench passes these faults; the product never
 * does, and no environment variable enables them.
 */
export interface Sabotage {
  /**
   * If true, the paste is not guarded: the screen is checked only before the paste, and not in the same tmux command.
   */
  readonly withoutGuard?: boolean;
  /**
   * If given, the mark is written with a separate command after the paste, and this function is called between the two
   * commands.
   */
  readonly beforeMark?: () => Promise<void>;
}
