import type { Instant } from '../instant.ts';
import type { MessageVerdict } from './message.ts';

/** What an agent waits for an answer to, as far as it can be read off its screen. */
export interface Question {
  /** A hash of all that the dialog says, its highlight aside: an answer is for this question or for none. */
  readonly id: string;
  readonly text: string;
  /** Empty: it can only be answered in its terminal. */
  readonly options: readonly QuestionOption[];
  readonly takesText: boolean;
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
