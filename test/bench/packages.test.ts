import { describe, expect, it, vi } from 'vitest';
import { type Crowd, gatherCrowd } from '../../bench/packages/crowd.ts';
import { playDelegation } from '../../bench/packages/play-delegation.ts';
import { delegation } from '../surfaces/http/packages/package-scene.ts';

/** Every row that the store reads is parsed, so this counts what is read. */
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

/** `npm run bench:packages` measures time; here is what must hold on any machine. */
describe('packages that wait', () => {
  it('a pass of the reconciler and a new package read no more beside 400 than beside 20', async () => {
    const [few, many] = [await costBeside(20), await costBeside(400)];
    expect(many.pass).toBeLessThanOrEqual(few.pass + 5);
    // The writer of the files works beside it, and reads a row now or a moment later.
    expect(many.create).toBeLessThanOrEqual(few.create + 10);
  });

  it('a delegation comes back to its sender by the tools alone', async () => {
    const { calls, tokens, toolListTokens } = await playDelegation();
    expect(calls).toBeLessThanOrEqual(8);
    expect(Math.min(tokens, toolListTokens)).toBeGreaterThan(100);
  });
});
