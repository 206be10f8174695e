import type { Instant } from '../../domain/instant.ts';

/** The time and timers as a port, so that tests can control them. */
export interface Clock {
  now(): Instant;
  /** Returns the minutes since midnight in the operator's local time. */
  minutesOfDay(at: Instant): number;
  /** Returns the calendar day in the operator's local time, such as 2026-11-18. */
  localDay(at: Instant): string;
  /** Returns milliseconds that never decrease, even if the wall clock is changed. */
  monotonicMs(): number;
  /**
   * Calls back once after this many milliseconds. Returns a function that cancels the timer. The timer does not keep
   * the process alive.
   */
  after(ms: number, callback: () => void): () => void;
}
