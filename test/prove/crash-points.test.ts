import { describe, it } from 'vitest';
import { type Round, shortPlan } from '../../prove/crash/plan.ts';
import { describeRun, prove } from '../../prove/crash/prove.ts';

/** The maximum number of times that a round is played. A round is repeated until all its crash points are reached. */
const MAX_TRIES = 5;

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
    '[F1] [F2] [F3] no prompt or document is lost or doubled by a kill: $name',
    { timeout: 1_800_000 },
    async ({ round }, { expect }) => {
      let judged = 0;
      const play = async (): Promise<readonly string[]> => {
        const proof = await prove({ plan: [round][Symbol.iterator](), wanted: Number.POSITIVE_INFINITY, lanes: 1 });
        const wrong = proof.judged.filter(({ verdict }) => verdict.outcome !== 'completed').map(describeRun);
        expect([...proof.breakdowns, ...wrong]).toEqual([]);
        judged += proof.judged.length;
        return proof.notReached;
      };
      // A run may end before a crash point is reached. For example, Baton does not perform `confirm_prompt` if the
      // prompt's hook comes before the report about the typing. The round is therefore played again until all its
      // points are reached.
      let left = await play();
      for (let tries = 1; left.length > 0 && tries < MAX_TRIES; tries++) left = await play();
      expect(left).toEqual([]);
      // A run that completed before the server was killed is not judged.
      expect(judged).toBeGreaterThan(0);
    },
  );
});
