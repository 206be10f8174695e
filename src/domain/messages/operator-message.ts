import { type Instant, msBetween } from '../instant.ts';

/**
 * The result of typing a text. `refused`: nothing was typed. `unconfirmed`: text was typed, but the screen does not
 * show what became of it. `by: 'api'`: the text was given to the control API. Rows of older versions have no `by`.
 */
export type TypingOutcome =
  | { readonly verdict: 'typed'; readonly enters: number; readonly by?: 'api' }
  | { readonly verdict: 'refused'; readonly reason: string; readonly detail: string }
  | { readonly verdict: 'unconfirmed'; readonly detail: string; readonly by?: 'api' };

/** The result of a message, for programs (`verdict`, `reason`) and for people (`sentence`). */
export interface MessageVerdict {
  readonly verdict: 'accepted' | 'refused' | 'unconfirmed';
  /**
   * For a refused message: the reason why it was refused. For an unconfirmed message: the last stage that the message
   * is known to have reached.
   */
  readonly reason: string | null;
  readonly sentence: string;
}

/**
 * One text that the operator sent through Baton. The agent gets exactly the operator's words, so Baton matches receipts
 * by the text. A receipt belongs to the oldest message with the same text and no receipt.
 */
export interface Message {
  readonly ref: string;
  readonly textHash: string;
  /** The first words of the message. Absent in messages of older versions. */
  readonly excerpt?: string;
  readonly sentBy: string;
  readonly sentAt: Instant;
  readonly transcript: { readonly path: string; readonly from: number } | null;
  /**
   * Number of earlier messages to this agent that have the same text and no receipt yet. In the transcript, the first
   * entries with this text belong to those earlier messages.
   */
  readonly ahead: number;
  readonly typing: TypingOutcome | null;
  readonly submitted: Submitted | null;
  readonly verdict: MessageVerdict | null;
}

interface Submitted {
  readonly promptId: string | null;
  /**
   * True if the message was submitted while a turn was running. Later events of that turn then do not confirm the
   * message.
   */
  readonly queued: boolean;
}

/**
 * Within this time after a message was sent, a prompt with the same text counts as the receipt of the message. A later
 * prompt with the same text was probably typed by a person.
 */
const WATCHED_MS = 10 * 60_000;

export const isOpen = ({ verdict }: Message): boolean => verdict === null;

/** True while a receipt may still arrive, even if the message was already reported as unconfirmed. */
export const isWatched = ({ verdict, sentAt }: Message, now: Instant): boolean =>
  verdict === null || (verdict.verdict === 'unconfirmed' && msBetween(sentAt, now) < WATCHED_MS);

/**
 * The prompt that the operator gave when starting the agent. Baton sends it as a message once the agent is ready.
 *
 * - `waiting`: the agent is not ready yet.
 * - `due`: the effect that sends the prompt is enqueued.
 * - `sending`: the message `ref` is recorded and may have been typed. Baton sends the prompt again only if the message
 *   is refused.
 * - `accepted`, `refused`, `unconfirmed`: the verdict of the message.
 */
export interface FirstPrompt {
  readonly status: 'waiting' | 'due' | 'sending' | 'accepted' | 'refused' | 'unconfirmed';
  /** The text of the prompt; null once Baton will not send the prompt any more. */
  readonly text: string | null;
  readonly excerpt: string;
  readonly ref: string | null;
  /** How often Baton has begun to send the prompt. A refused attempt may be repeated, because nothing was typed. */
  readonly attempts: number;
  /** The earliest time at which Baton repeats a refused attempt. Null if there was no attempt to repeat. */
  readonly retryAt: Instant | null;
  /** The outcome in words for the operator; null while the outcome is open. */
  readonly sentence: string | null;
}
