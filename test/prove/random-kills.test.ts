import { expect, it } from 'vitest';
import { holdsAtRandom, proveAtRandom } from '../../prove/crash/random/prove.ts';

/** Runs the same test as `npm run prove:crash -- --random 10`, with new random moments in each test run. */
it('[F1] [F3] after ten kills of the server at random moments, no handoff is lost, doubled or stuck', {
  timeout: 900_000,
}, async () => {
  const seed = 1 + Math.floor(Math.random() * 1_000_000);
  const proof = await proveAtRandom({ kills: 10, seed, tell: () => undefined });
  expect([...proof.breakdowns, ...proof.findings], `seed ${seed}`).toEqual([]);
  const { kills, runs, completed, halted } = proof.result;
  expect([kills, completed + halted]).toEqual([10, runs]);
  expect(holdsAtRandom(proof)).toBe(true);
  for (const offence of ['lost', 'doubled', 'silent', 'stuck'] as const)
    expect(holdsAtRandom({ ...proof, findings: [{ offence, what: 'x' }] })).toBe(false);
});
