import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { run } from '../support/baton-process.ts';

const PROOF = fileURLToPath(new URL('../../scripts/prove/guard.mjs', import.meta.url));

/** Runs the same test as `npm run prove:guard`, with only a sample of the hostile texts. */
it('[T1] [T2] [T5] [T7] [T8] [T20] [T21] [X-1] [X-2] no attack on the API or the terminal succeeds', {
  timeout: 1_800_000,
}, async () => {
  const { code, stdout, stderr } = await run(process.execPath, [PROOF, '--short', '--json']);
  const line = stdout.trim().split('\n').at(-1) ?? '{}';
  console.log(`prove:guard ${line}`);
  const result = JSON.parse(line) as { routes: number; shapes: number; hostile_texts: number };
  expect(result, stderr).toMatchObject({
    refused: result.routes * result.shapes,
    leaks: 0,
    canaries: 0,
    secrets_found: 0,
    race_winners_ok: true,
    agent_as_operator: 0,
  });
  expect(result.shapes).toBeGreaterThanOrEqual(40);
  expect(result.hostile_texts).toBeGreaterThanOrEqual(300);
  expect(code, stderr).toBe(0);
});
