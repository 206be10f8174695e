/**
 * Faults that a bench plants to show that it can detect them. Only its caller passes them; the product never does, and
 * no environment variable enables them.
 */
export interface Sabotage {
  /** Pastes the text after a look only: the command that pastes checks nothing. */
  readonly withoutGuard?: boolean;
  /** Sets the mark by a second command, and runs this in between. */
  readonly beforeMark?: () => Promise<void>;
}
