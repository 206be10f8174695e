import type { PromptPurpose } from '../facts.ts';
import type { Instant } from '../instant.ts';

/** One text for one agent, as it was really given; a later wording does not change it. */
export interface PromptText {
  /** Of the prompt that carries it; unique for ever. */
  readonly ref: string;
  readonly agentId: number;
  readonly runId: number | null;
  readonly purpose: PromptPurpose;
  readonly text: string;
  /** What became of it last; null as long as nobody has said. */
  readonly outcome: 'typed' | 'refused' | 'unconfirmed' | 'given_at_start' | null;
  readonly at: Instant | null;
}

/** Nothing of it has reached the agent, so it may still be worded anew. */
export const isReplaceable = ({ outcome }: PromptText): boolean => outcome === 'refused';

/** It may stand in the composer, pasted and not submitted. */
export const mayStand = ({ outcome }: PromptText): boolean => outcome === null || outcome === 'unconfirmed';
