import { type Instant, msBetween } from '../instant.ts';

/** `refused` = nothing was typed; `unconfirmed` = something was, and nobody can see what became of it. */
export type TypingOutcome =
  | { readonly verdict: 'typed'; readonly enters: number }
  | { readonly verdict: 'refused'; readonly reason: string; readonly detail: string }
  | { readonly verdict: 'unconfirmed'; readonly detail: string };

/** What became of a message, for a program (`verdict`, `reason`) and for people (`sentence`). */
export interface MessageVerdict {
  readonly verdict: 'accepted' | 'refused' | 'unconfirmed';
  /** Why it was refused; or, unconfirmed, how far it is known to have got. */
  readonly reason: string | null;
  readonly sentence: string;
}

/**
 * One text that the operator sent through Baton. It carries no reference, because the agent shall hear exactly what the
 * operator said; its receipts are known by the text itself. A receipt belongs to the oldest message of the same text that
 * has none, so the same text sent twice needs two.
 */
export interface Message {
  readonly ref: string;
  readonly textHash: string;
  /** Its first words. Absent: an older Baton sent it. */
  readonly excerpt?: string;
  readonly sentBy: string;
  readonly sentAt: Instant;
  readonly transcript: { readonly path: string; readonly from: number } | null;
  /** How many earlier messages of the same text still had no receipt: the first lines of the transcript are theirs. */
  readonly ahead: number;
  readonly typing: TypingOutcome | null;
  readonly submitted: Submitted | null;
  readonly verdict: MessageVerdict | null;
}

interface Submitted {
  readonly promptId: string | null;
  /** Announced under the id of a turn that ran already: what that turn goes on to do proves nothing about us. */
  readonly queued: boolean;
}

/** After this long the same text is more likely to have been typed again by somebody. */
const WATCHED_MS = 10 * 60_000;

export const isOpen = ({ verdict }: Message): boolean => verdict === null;

/** Still waiting for its receipt, told or not. */
export const isWatched = ({ verdict, sentAt }: Message, now: Instant): boolean =>
  verdict === null || (verdict.verdict === 'unconfirmed' && msBetween(sentAt, now) < WATCHED_MS);
