import { describe, it } from 'vitest';
import { type Round, shortPlan } from '../../prove/crash/plan.ts';
import { describeRun, holds, prove } from '../../prove/crash/prove.ts';

const title = (round: Round): string =>
  round.scenario === 'packages'
    ? `packages, ${round.points.length} deaths in one workflow`
    : `${round.scenario}, agent ${round.mode}, ${round.points.join(', ')}`;
const rounds = shortPlan().map((round) => ({ round, name: title(round) }));

/** The same as `npm run prove:crash -- --short`: kills at every point once, at several points in one run. */
describe.concurrent('the server, killed with -9 at every point,', () => {
  it.for(rounds)(
    '[F1] [F2] [F3] loses, doubles and hides nothing: $name',
    { timeout: 600_000 },
    async ({ round }, { expect }) => {
      const play = async (): Promise<readonly string[]> => {
        const proof = await prove({ plan: [round][Symbol.iterator](), wanted: Number.POSITIVE_INFINITY, lanes: 1 });
        const wrong = proof.judged.filter(({ verdict }) => verdict.outcome !== 'completed').map(describeRun);
        expect([...proof.breakdowns, ...wrong]).toEqual([]);
        expect(proof.judged).toHaveLength(1);
        expect(holds(proof)).toBe(true);
        return proof.notReached;
      };
      // The last point of a round may come after the end of its run. Repeat the round if that point was not reached.
      if ((await play()).length > 0) expect(await play()).toEqual([]);
    },
  );
});
