import { describe, it } from 'vitest';
import { type Round, shortPlan } from '../../prove/crash/plan.ts';
import { describeRun, holds, prove } from '../../prove/crash/prove.ts';

const title = (round: Round): string =>
  round.scenario === 'packages'
    ? `packages, ${round.points.length} deaths in one workflow`
    : `${round.scenario}, agent ${round.mode}, ${round.points.join(', ')}`;
const rounds = shortPlan().map((round) => ({ round, name: title(round) }));

/**
 * Runs the same rounds as `npm run prove:crash -- --short`. The server is killed once at every crash point. A single
 * handoff run may pass several of these points.
 */
describe.concurrent('kill -9 of the server at every point', () => {
  it.for(rounds)(
    '[F1] [F2] [F3] no prompt or document is lost or doubled after a kill: $name',
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
      // Play the round again if its last crash point was not reached, because the run may end before that point.
      if ((await play()).length > 0) expect(await play()).toEqual([]);
    },
  );
});
