import { expect, it } from 'vitest';
import { runSeed } from '../../prove/sim/run-seed.ts';

/** Seeds of `npm run prove:sim` that were red once. `npm run prove:sim -- --seed N` prints the history of one. */
it.each([
  [11_530, 'a package is announced although the clock was set back by a day'],
  [17_997, 'a run halts if the end of the skill turn stays unknown'],
])('in the simulated world of seed %i %s', async (seed) => {
  expect((await runSeed(seed)).offences).toEqual([]);
});
