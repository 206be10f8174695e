import { describe, expect, it } from 'vitest';
import { shortPlan } from '../../bench/crash/plan.ts';
import { describeRun, holds, prove } from '../../bench/crash/prove.ts';

/** The same as `npm run prove:crash -- --short`: every point once, several of them in one run. */
describe('killed at every point', () => {
  it('[F1] [F2] [F3] loses, doubles and hides nothing', { timeout: 900_000 }, async () => {
    const proof = await prove({ plan: shortPlan()[Symbol.iterator](), wanted: Number.POSITIVE_INFINITY, lanes: 2 });
    const wrong = proof.judged.filter(({ verdict }) => verdict.outcome !== 'completed').map(describeRun);
    expect([...proof.breakdowns, ...wrong]).toEqual([]);
    expect(proof.notReached).toEqual([]);
    expect(proof.judged).toHaveLength(shortPlan().length);
    expect(holds(proof)).toBe(true);
  });
});
