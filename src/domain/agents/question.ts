import type { Instant } from '../instant.ts';
import type { MessageVerdict } from '../messages/operator-message.ts';

/** A question of an agent, as far as Baton can read it from the screen. */
export interface Question {
  /** Hash of the dialog without its highlight. An answer contains this id, so no other question gets the answer. */
  readonly id: string;
  readonly text: string;
  /** If there are no options and `takesText` is false, the question can only be answered in the agent's terminal. */
  readonly options: readonly QuestionOption[];
  readonly takesText: boolean;
  /** Part of the question is off the screen, so Baton refuses to answer it. */
  readonly isCut?: boolean;
  /** Set if the client asks at exit about background work: the option that stops the work and the one that keeps it. */
  readonly leaving?: { readonly stop: number; readonly keep: number };
}

/** The hint on how to answer. Inbox, command line and page share it, so that all suggest the same answers. */
export function howToAnswer(agentId: number, question: Question | null): string {
  const attach = `baton agent attach ${agentId}`;
  if (question === null) return `Answer it in its terminal: ${attach}`;
  if (question.isCut)
    return `Its window is too small to show the whole question, so answer it in its terminal: ${attach}`;
  if (question.options.length === 0 && !question.takesText)
    return `This question can only be answered in its terminal: ${attach}`;
  const words = question.takesText ? ', or --text "in your own words"' : '';
  return `Answer it: baton agent answer ${agentId} --choice N${words} (show the question: baton agent answer ${agentId}), or in its terminal: ${attach}`;
}

export interface QuestionOption {
  readonly number: number;
  readonly label: string;
}

/** One answer of the operator. It is stored before a key is pressed, so that no key is pressed twice after a crash. */
export interface Answer {
  readonly ref: string;
  readonly questionId: string;
  /** The server process that presses the keys. */
  readonly givenBy: string;
  readonly givenAt: Instant;
  readonly verdict: MessageVerdict | null;
}

export const isBeingGiven = ({ verdict }: Answer): boolean => verdict === null;
