import { describe, it } from 'vitest';
import { type Round, shortPlan } from '../../prove/crash/plan.ts';
import { describeRun, prove } from '../../prove/crash/prove.ts';

/** A round is repeated until all its crash points are reached, but it is played at most this many times. */
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
      // A run may end before a crash point is reached. For example, Baton skips `confirm_prompt` if the prompt's hook
      // arrives before the report that the prompt was typed. The round is therefore played again until all its points
      // are reached.
      let left = await play();
      for (let tries = 1; left.length > 0 && tries < MAX_TRIES; tries++) left = await play();
      expect(left).toEqual([]);
      // The proof does not judge a run that completed before the server was killed. It must have judged at least one run.
      expect(judged).toBeGreaterThan(0);
    },
  );
});
