import type { ActiveStep } from './run.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The time limit of each step (the column "deadline" in SPEC.md). */
export const DEADLINES: Record<ActiveStep, number> = {
  requested: 30 * SECOND,
  waiting_safe_point: 10 * MINUTE,
  instructing: 20 * SECOND,
  awaiting_document: 10 * MINUTE,
  verifying: 30 * SECOND,
  recorded: 30 * SECOND,
  shutting_down: 30 * SECOND,
  creating_successor: 30 * SECOND,
  awaiting_registration: 90 * SECOND,
  injecting_skill: 120 * SECOND,
  delivering_prompt: 30 * SECOND,
  awaiting_acknowledgement: 10 * MINUTE,
  undoing: 30 * SECOND,
};
