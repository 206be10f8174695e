/**
 * How urgently something needs the operator, worst first.
 *
 * - `failed`: a handoff failed, Baton could not start the agent for a package, or a part of Baton fails.
 * - `question`: an agent waits for an answer.
 * - `decision`: a gate, a review or a handoff waits for a decision.
 * - `lost`: an agent was lost or ended unexpectedly.
 * - `stuck`: an agent or a package makes no progress.
 * - `handoff`: Baton suggests a handoff.
 * - `notice`: only for information.
 */
export const SEVERITIES = ['failed', 'question', 'decision', 'lost', 'stuck', 'handoff', 'notice'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The fields by which lists of inbox items and agents are sorted. `since` is an ISO time. */
export interface Ranked {
  readonly severity: Severity;
  readonly since: string;
}

/**
 * Sorts inbox items or agents by urgency, the most urgent first. Of two equally urgent ones, the older one comes first.
 * An agent that needs nothing (null or undefined) comes last.
 */
export function compareNeeds(one: Ranked | null | undefined, other: Ranked | null | undefined): number {
  if (!one || !other) return Number(!one) - Number(!other);
  return rank(one) - rank(other) || (one.since < other.since ? -1 : Number(one.since > other.since));
}

const rank = ({ severity }: Ranked): number => SEVERITIES.indexOf(severity);
