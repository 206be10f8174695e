import type { Instant } from '../instant.ts';
import type { MessageVerdict } from '../messages/operator-message.ts';

/** A question of an agent, as far as Baton can read the question from the screen. */
export interface Question {
  /**
   * Hash of the dialog, independent of the highlighted option. Every answer contains this id, so that Baton never
   * enters the answer when a different question is on the screen.
   */
  readonly id: string;
  readonly text: string;
  /** If there are no options and `takesText` is false, the question can only be answered in the agent's terminal. */
  readonly options: readonly QuestionOption[];
  readonly takesText: boolean;
  /** True if a part of the question is off the screen, so that Baton refuses to answer the question. */
  readonly isCut?: boolean;
  /**
   * Set if the client asks, before it exits, what to do with its background work. `stop` is the number of the option
   * that stops the work, and `keep` is the number of the option that leaves the work running.
   */
  readonly leaving?: { readonly stop: number; readonly keep: number };
}

/**
 * Returns the hint on how to answer a question. Inbox, command line and page share this hint, so that all suggest the
 * same answers.
 */
export function howToAnswer(agentId: number, question: Question | null): string {
  const attach = `baton agent attach ${agentId}`;
  if (question === null) return `Answer in the agent's terminal: ${attach}`;
  if (question.isCut)
    return `The window is too small to show the whole question, so answer in the agent's terminal: ${attach}`;
  if (question.options.length === 0 && !question.takesText)
    return `This question can only be answered in the agent's terminal: ${attach}`;
  const words = question.takesText ? ', or --text "in your own words"' : '';
  return `Answer the question: baton agent answer ${agentId} --choice N${words} (show the question: baton agent answer ${agentId}), or in the agent's terminal: ${attach}`;
}

export interface QuestionOption {
  readonly number: number;
  readonly label: string;
}

/**
 * One answer of the operator. Baton stores the answer before it presses a key. After a crash, Baton therefore does not
 * press the same key a second time.
 */
export interface Answer {
  readonly ref: string;
  readonly questionId: string;
  /** Identifies the server process that presses the keys. */
  readonly givenBy: string;
  readonly givenAt: Instant;
  readonly verdict: MessageVerdict | null;
}

export const isBeingGiven = ({ verdict }: Answer): boolean => verdict === null;
