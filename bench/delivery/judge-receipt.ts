import type { DeliveryOutcome } from '../../src/app/ports/terminal.ts';

/** What the agent's own hooks and transcript say about one prompt. */
export interface Receipts {
  /** Its UserPromptSubmit event carried our text. A policy hook of the user's may still block it. */
  readonly submitted: boolean;
  /** The transcript has it as a line of the user, or a later event belongs to the same prompt. */
  readonly accepted: boolean;
}

export type Verdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unconfirmed'; readonly detail: string };

/** Typing proves nothing and neither does the hook alone: only the receipt of acceptance makes a success. */
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
