import { expect, it } from 'vitest';
import { runSeed } from '../../prove/sim/run-seed.ts';

/** Seeds with which `npm run prove:sim` once failed. `npm run prove:sim -- --seed N` prints the history of seed N. */
it.each([
  [11_530, 'a package is announced although the clock was set back by a day'],
  [21_062, 'a lesson of an adopted document does not contain the end marker of the run that wrote the document'],
  [21_890, 'the open points of another persona are kept as well'],
  [17_997, 'a run halts if the end of the skill turn stays unknown'],
])('in the simulation with the seed %i, Baton breaks none of its rules: %s', async (seed) => {
  expect((await runSeed(seed)).offences).toEqual([]);
});
