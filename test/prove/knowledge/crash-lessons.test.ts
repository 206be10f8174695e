import { expect, it } from 'vitest';
import { shortPlan } from '../../../prove/crash/plan.ts';
import { describeRun, prove } from '../../../prove/crash/prove.ts';

/**
 * Plays one round of prove:crash: the server is killed while it accepts a lesson. test/prove/crash-points plays this
 * round, too.
 */
it('if Baton is killed while it accepts a lesson, the lesson is neither lost nor repeated', {
  timeout: 1_800_000,
}, async () => {
  const rounds = shortPlan().filter(({ scenario }) => scenario === 'lesson');
  const proof = await prove({ plan: rounds[Symbol.iterator](), wanted: Number.POSITIVE_INFINITY, lanes: 1 });
  const wrong = proof.judged.filter(({ verdict }) => verdict.outcome !== 'completed').map(describeRun);
  const problems = [...proof.breakdowns, ...wrong];
  expect(problems, problems.join('; ')).toEqual([]);
  expect(proof.judged).toHaveLength(1);
});
