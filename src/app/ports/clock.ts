import type { Instant } from '../../domain/instant.ts';

/** Time and timers, so that tests can control them. */
export interface Clock {
  now(): Instant;
  /** Minutes since midnight in the operator's local time. */
  minutesOfDay(at: Instant): number;
  /** Milliseconds that never go back, even if the wall clock is changed. */
  monotonicMs(): number;
  /** Calls back once; returns a function that cancels it. Never keeps the process alive. */
  after(ms: number, callback: () => void): () => void;
}
