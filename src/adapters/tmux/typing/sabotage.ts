/**
 * Faults that a bench plants to show that it can detect them. Only the bench passes them; the product never does, and
 * no environment variable enables them.
 */
export interface Sabotage {
  /** Checks the screen only before the paste, so the command that pastes checks nothing. */
  readonly withoutGuard?: boolean;
  /** Sets the mark by a second command, and calls this function between the two commands. */
  readonly beforeMark?: () => Promise<void>;
}
