import type { DeliveryOutcome } from '../../src/app/ports/terminal.ts';

/** The evidence about one delivered prompt, from the agent's own hooks and transcript. */
export interface Receipts {
  /**
   * True if the prompt's UserPromptSubmit event contained Baton's text. Even then, a hook of the operator can block the
   * prompt.
   */
  readonly submitted: boolean;
  /** True if the transcript contains the prompt as a user message, or if a later event carries the id of the prompt. */
  readonly accepted: boolean;
}

export type Verdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unconfirmed'; readonly detail: string };

/**
 * Returns the verdict on a delivery. Only `accepted` is a success. The typed text and the hook alone do not prove that
 * the model got the prompt.
 */
export function judgeReceipt(outcome: DeliveryOutcome, receipts: Receipts, hookAlone = false): Verdict {
  if (receipts.accepted || (hookAlone && receipts.submitted)) return { kind: 'accepted' };
  if (outcome.verdict === 'refused') return { kind: 'refused', reason: outcome.reason };
  if (receipts.submitted)
    return { kind: 'unconfirmed', detail: 'submitted, but not accepted: a hook may have blocked it' };
  return {
    kind: 'unconfirmed',
    detail: outcome.verdict === 'unconfirmed' ? outcome.detail : 'typed, but no receipt came',
  };
}
