import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { run } from '../support/baton-process.ts';

const PROOF = fileURLToPath(new URL('../../scripts/prove/sim.mjs', import.meta.url));

/**
 * Runs the same test as `npm run prove:sim`, with fewer worlds. A failing seed prints its history and the command to
 * replay it.
 */
it('in 4,000 simulated worlds, Baton loses no document and types no text into a wrong pane', {
  timeout: 1_800_000,
}, async () => {
  const { code, stdout, stderr } = await run(process.execPath, [PROOF, '--seeds', '4000', '--json']);
  const line = stdout.trim().split('\n').at(-1) ?? '{}';
  console.log(`prove:sim ${line}`);
  const result = JSON.parse(line) as { to_reach: number };
  expect(result, stderr.slice(0, 20_000)).toEqual({
    seeds: 4_000,
    failed: 0,
    reached: result.to_reach,
    to_reach: result.to_reach,
  });
  expect(code).toBe(0);
});
