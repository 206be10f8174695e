import { describe, expect, it, vi } from 'vitest';
import { type Crowd, gatherCrowd } from '../../bench/packages/crowd.ts';
import { playDelegation } from '../../bench/packages/play-delegation.ts';
import { delegation } from '../surfaces/http/packages/package-scene.ts';

/** Counts the calls of JSON.parse. The store calls JSON.parse once for each row that it reads. */
async function parsedBy(work: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(JSON, 'parse');
  await work();
  const { length } = parse.mock.calls;
  parse.mockRestore();
  return length;
}

async function costBeside(waiting: number): Promise<{ readonly pass: number; readonly create: number }> {
  const crowd: Crowd = await gatherCrowd(waiting);
  const { scene } = crowd;
  const pass = await parsedBy(crowd.pass);
  const create = await parsedBy(() => scene.create(scene.con, delegation()));
  await crowd.end();
  return { pass, create };
}

/**
 * `npm run bench:packages` measures time. This test counts rows instead, because their number is the same on every
 * machine.
 */
describe('the cost of packages', () => {
  it('creating a package reads about as many rows with 400 waiting packages as with 20', async () => {
    const [few, many] = [await costBeside(20), await costBeside(400)];
    expect(many.pass).toBeLessThanOrEqual(few.pass + 5);
    // Allow a few more rows: the file writer runs at the same time and may read some.
    expect(many.create).toBeLessThanOrEqual(few.create + 10);
  });

  it('delegating a task and returning its result takes at most eight calls of MCP tools', async () => {
    const { calls, tokens, toolListTokens } = await playDelegation();
    expect(calls).toBeLessThanOrEqual(8);
    expect(Math.min(tokens, toolListTokens)).toBeGreaterThan(100);
  });
});
