import { type Instant, msBetween } from '../instant.ts';

/** `refused` = nothing was typed; `unconfirmed` = text was typed, but the screen does not show the result. */
export type TypingOutcome =
  | { readonly verdict: 'typed'; readonly enters: number }
  | { readonly verdict: 'refused'; readonly reason: string; readonly detail: string }
  | { readonly verdict: 'unconfirmed'; readonly detail: string };

/** The result of a message, for programs (`verdict`, `reason`) and for people (`sentence`). */
export interface MessageVerdict {
  readonly verdict: 'accepted' | 'refused' | 'unconfirmed';
  /** Why the message was refused; if it is unconfirmed, the last stage that it is known to have reached. */
  readonly reason: string | null;
  readonly sentence: string;
}

/**
 * One text that the operator sent through Baton. The agent gets exactly the operator's words without a reference, so
 * receipts are matched by text. A receipt belongs to the oldest message with the same text and no receipt, so a text
 * that is sent twice needs two receipts.
 */
export interface Message {
  readonly ref: string;
  readonly textHash: string;
  /** The first words of the message. Absent in messages of older versions. */
  readonly excerpt?: string;
  readonly sentBy: string;
  readonly sentAt: Instant;
  readonly transcript: { readonly path: string; readonly from: number } | null;
  /** Number of earlier messages with the same text that still wait. They get the first matches in the transcript. */
  readonly ahead: number;
  readonly typing: TypingOutcome | null;
  readonly submitted: Submitted | null;
  readonly verdict: MessageVerdict | null;
}

interface Submitted {
  readonly promptId: string | null;
  /** The message was submitted during a running turn, so later events of that turn do not confirm the message. */
  readonly queued: boolean;
}

/** After this time, a prompt with the same text is probably a new prompt that a person typed. */
const WATCHED_MS = 10 * 60_000;

export const isOpen = ({ verdict }: Message): boolean => verdict === null;

/** True while a receipt may still arrive, also after the message was reported as unconfirmed. */
export const isWatched = ({ verdict, sentAt }: Message, now: Instant): boolean =>
  verdict === null || (verdict.verdict === 'unconfirmed' && msBetween(sentAt, now) < WATCHED_MS);
