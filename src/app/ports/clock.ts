import type { Instant } from '../../domain/instant.ts';

/** Time and timers, so that tests can turn them. */
export interface Clock {
  now(): Instant;
  /** Minutes since midnight, as the clock on the operator's wall shows them then. */
  minutesOfDay(at: Instant): number;
  /** Milliseconds that only ever grow, also over a change of the wall clock. */
  monotonicMs(): number;
  /** Calls back once; returns how to call it off. Never keeps the process alive. */
  after(ms: number, callback: () => void): () => void;
}
