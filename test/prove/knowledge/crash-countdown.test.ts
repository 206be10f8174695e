import { expect, it } from 'vitest';
import { shortPlan } from '../../../prove/crash/plan.ts';
import { describeRun, prove } from '../../../prove/crash/prove.ts';

/**
 * Plays one round of prove:crash: the server is killed again and again during a countdown. test/prove/crash-points
 * plays this round, too.
 */
it('if the server is killed during a countdown, the countdown starts again and the handoff is neither lost nor repeated', {
  timeout: 1_800_000,
}, async () => {
  const rounds = shortPlan().filter(({ scenario }) => scenario === 'countdown');
  const proof = await prove({ plan: rounds[Symbol.iterator](), wanted: Number.POSITIVE_INFINITY, lanes: 1 });
  const wrong = proof.judged.filter(({ verdict }) => verdict.outcome !== 'completed').map(describeRun);
  const problems = [...proof.breakdowns, ...wrong, ...proof.notReached];
  expect(problems, problems.join('; ')).toEqual([]);
  expect(proof.judged).toHaveLength(1);
});
