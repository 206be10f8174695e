/**
 * Faults that a bench builds in to show that it can see them. Handed in by the caller only; the product never does, and
 * no environment variable reaches it.
 */
export interface Sabotage {
  /** The text is pasted after a mere look: nothing is checked in the command that pastes. */
  readonly withoutGuard?: boolean;
  /** The mark is set by a second command; this happens in between. */
  readonly beforeMark?: () => Promise<void>;
}
