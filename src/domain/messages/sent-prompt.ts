import type { PromptPurpose } from '../facts.ts';
import type { Instant } from '../instant.ts';

/** A prompt for one agent, as Baton sent it. Later changes of a template do not change this text. */
export interface PromptText {
  /** The unique reference of the prompt. References are never reused. */
  readonly ref: string;
  readonly agentId: number;
  readonly runId: number | null;
  readonly purpose: PromptPurpose;
  readonly text: string;
  /** The result of the last attempt to type the prompt; null if there is no result yet. */
  readonly outcome: 'typed' | 'refused' | 'unconfirmed' | 'given_at_start' | null;
  readonly at: Instant | null;
}

/** True if no part of the prompt reached the agent. Baton can then still change the text of the prompt. */
export const isReplaceable = ({ outcome }: PromptText): boolean => outcome === 'refused';

/** True if the prompt may be in the agent's composer without having been submitted. */
export const mayStand = ({ outcome }: PromptText): boolean => outcome === null || outcome === 'unconfirmed';
