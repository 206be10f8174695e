import { describe, expect, it } from 'vitest';
import { judgeReceipt } from '../../bench/delivery/judge-receipt.ts';
import type { DeliveryOutcome } from '../../src/app/ports/terminal.ts';

describe('the verdict of the delivery bench', () => {
  const typed: DeliveryOutcome = { verdict: 'typed', enters: 1 };
  const refused: DeliveryOutcome = { verdict: 'refused', reason: 'draft', detail: '' };
  const unconfirmed: DeliveryOutcome = { verdict: 'unconfirmed', detail: 'who knows' };
  const none = { submitted: false, accepted: false };
  const submitted = { submitted: true, accepted: false };
  const accepted = { submitted: true, accepted: true };

  it.each([
    { outcome: typed, receipts: none, kind: 'unconfirmed' },
    { outcome: typed, receipts: submitted, kind: 'unconfirmed' },
    { outcome: typed, receipts: accepted, kind: 'accepted' },
    { outcome: unconfirmed, receipts: none, kind: 'unconfirmed' },
    { outcome: unconfirmed, receipts: submitted, kind: 'unconfirmed' },
    { outcome: unconfirmed, receipts: accepted, kind: 'accepted' },
    { outcome: refused, receipts: none, kind: 'refused' },
  ])(
    'the bench counts a delivery as $kind if Baton reports $outcome.verdict and the evidence from the agent is $receipts',
    ({ outcome, receipts, kind }) => {
      expect(judgeReceipt(outcome, receipts).kind).toBe(kind);
    },
  );
});
