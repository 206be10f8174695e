import type { Instant } from '../instant.ts';
import type { MessageVerdict } from '../messages/operator-message.ts';

/** A question of an agent, as far as Baton can read it from the screen. */
export interface Question {
  /** Hash of the dialog without its highlight. An answer names it, so it is never given to another question. */
  readonly id: string;
  readonly text: string;
  /** Empty (and `takesText` false): the question can only be answered in its terminal. */
  readonly options: readonly QuestionOption[];
  readonly takesText: boolean;
  /** Part of it is off the screen, so Baton refuses to answer it. */
  readonly isCut?: boolean;
  /** The client's question at exit about its background work: the options that stop it and that keep it. */
  readonly leaving?: { readonly stop: number; readonly keep: number };
}

/** The hint for inbox, command line and page alike, so that none suggests an answer that another refuses. */
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

/** One answer of the operator. Stored before a key is pressed, so that a crash does not press it twice. */
export interface Answer {
  readonly ref: string;
  readonly questionId: string;
  /** The server process that presses the keys. */
  readonly givenBy: string;
  readonly givenAt: Instant;
  readonly verdict: MessageVerdict | null;
}

export const isBeingGiven = ({ verdict }: Answer): boolean => verdict === null;
