export type PackageTimer = 'draft' | 'deliver' | 'acknowledge' | 'clarify' | 'gate' | 'work';

const MINUTE = 60_000;
export const DEFAULT_TIMERS: Readonly<Record<PackageTimer, number>> = {
  draft: 24 * 60 * MINUTE,
  deliver: 2 * MINUTE,
  acknowledge: 10 * MINUTE,
  clarify: 15 * MINUTE,
  gate: 24 * 60 * MINUTE,
  work: 60 * MINUTE,
};
export const MOST_ROUNDS = 3;
export const MOST_QUESTIONS = 5;
