import { expect, it } from 'vitest';
import { holds, soak } from '../../prove/soak/soak.ts';

/** Runs the script of `npm run soak` for a shorter time. */
it('[F1] [F36] in the soak test with worktrees, adoptions, handoffs and a reboot, Baton loses and doubles nothing', {
  timeout: 400_000,
}, async () => {
  const soaked = await soak(0.1, () => undefined);
  expect([soaked.breakdown, soaked.findings]).toEqual([undefined, []]);
  expect(soaked.result).toMatchObject({ handoffs: 3, adoptions: 2, restored: 10, left_processes: 0 });
  expect(soaked.result.accepted).toBeGreaterThan(20);
  expect(holds(soaked)).toBe(true);
  expect(holds({ ...soaked, result: { ...soaked.result, left_processes: 1 } })).toBe(false);
  expect(holds({ ...soaked, result: { ...soaked.result, restored: 9 } })).toBe(false);
});
