/**
 * How urgently something needs the operator, worst first.
 *
 * - `failed`: a handoff failed, or a part of Baton fails.
 * - `question`: an agent waits for an answer.
 * - `decision`: a gate, a review or a handoff waits for a decision.
 * - `lost`: an agent was lost or ended unexpectedly.
 * - `stuck`: an agent or a package makes no progress.
 * - `handoff`: Baton suggests a handoff.
 * - `notice`: only for information.
 */
export const SEVERITIES = ['failed', 'question', 'decision', 'lost', 'stuck', 'handoff', 'notice'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The fields that decide the position of a matter in a list. `since` is an ISO time. */
export interface Ranked {
  readonly severity: Severity;
  readonly since: string;
}

/**
 * Sorts matters that wait for the operator: the most urgent one first, and of two equally urgent ones the older one
 * first. Agents without such a matter (null or undefined) come last.
 */
export function compareNeeds(one: Ranked | null | undefined, other: Ranked | null | undefined): number {
  if (!one || !other) return Number(!one) - Number(!other);
  return rank(one) - rank(other) || (one.since < other.since ? -1 : Number(one.since > other.since));
}

const rank = ({ severity }: Ranked): number => SEVERITIES.indexOf(severity);
