import { expect, it } from 'vitest';
import { run } from '../../support/baton-process.ts';

/**
 * This test checks no durations, because the machine may be shared. It checks that the page misses no event, and limits
 * the number of bytes that the page loads at first.
 */
it('in `bench:ui --short`, the page applies every event of many busy agents, and its first load is at most 180 kB', async () => {
  const { code, stdout, stderr } = await run(process.execPath, ['scripts/bench/ui.mjs', '--short', '--json']);
  expect(code, stderr).toBe(0);
  const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}');
  expect(result).toMatchObject({ events_sent: 5000, events_applied: 5000, order_wrong: 0, needs: 6 });
  expect(result.initial_gzip_kb).toBeGreaterThan(50);
  expect(result.initial_gzip_kb).toBeLessThanOrEqual(180);
  expect(result.order_samples).toBeGreaterThan(5);
  for (const measure of ['frames_p95_ms', 'long_tasks_over_200ms', 'heap_growth_mb'])
    expect(result[measure]).toBeTypeOf('number');
});
