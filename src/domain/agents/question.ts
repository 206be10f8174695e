import type { Instant } from '../instant.ts';
import type { MessageVerdict } from '../messages/operator-message.ts';

/** What an agent waits for an answer to, as far as it can be read off its screen. */
export interface Question {
  /** A hash of all that the dialog says, its highlight aside: an answer is for this question or for none. */
  readonly id: string;
  readonly text: string;
  /** Empty: it can only be answered in its terminal. */
  readonly options: readonly QuestionOption[];
  readonly takesText: boolean;
  /** A part of it is off the screen, so it is not answered from afar. */
  readonly isCut?: boolean;
  /** On its way out the client asks what becomes of its background work: the options that end it and that keep it. */
  readonly leaving?: { readonly stop: number; readonly keep: number };
}

/** What a person can do about it. The same words in the inbox, in the command and on the page: none advises what another refuses. */
export function howToAnswer(agentId: number, question: Question | null): string {
  const attach = `baton agent attach ${agentId}`;
  if (question === null) return `Look at it, and answer it there: ${attach}`;
  if (question.isCut)
    return `Its window is too small to show all of the question, so it is only answered in its terminal: ${attach}`;
  if (question.options.length === 0 && !question.takesText) return `It can only be answered in its terminal: ${attach}`;
  const words = question.takesText ? ', or --text "in your own words"' : '';
  return `Answer it: baton agent answer ${agentId} --choice N${words} (what it asks: baton agent answer ${agentId}), or in its terminal: ${attach}`;
}

export interface QuestionOption {
  readonly number: number;
  readonly label: string;
}

/** One answer of the operator's. Written down before a key is pressed, so that nobody presses it a second time. */
export interface Answer {
  readonly ref: string;
  readonly questionId: string;
  /** The server process that presses the keys. */
  readonly givenBy: string;
  readonly givenAt: Instant;
  readonly verdict: MessageVerdict | null;
}

export const isBeingGiven = ({ verdict }: Answer): boolean => verdict === null;
