import { expect, it } from 'vitest';
import { run } from '../support/baton-process.ts';

const KEYS: Readonly<Record<string, readonly string[]>> = {
  P1: ['floor_ms', 'product_ms', 'ratio', 'return_ratio', 'settle_ms'],
  P2: ['ratio'],
  P3: ['floor_ms', 'product_ms', 'ratio', 'settle_ms'],
  P4: ['floor_ms', 'product_ms', 'ratio', 'settle_ms', 'stop_missing_ms'],
  P5: ['ratio', 'lost', 'doubled'],
  P10: ['ratio', 'longest_block_ms'],
};

/** This test checks no durations, because the machine may be shared. `npm run bench` shows the durations. */
it('`bench --short` loses no prompt and delivers no prompt twice', { timeout: 1_800_000 }, async () => {
  const words = ['scripts/bench/main.mjs', '--short', '--json', '--only', Object.keys(KEYS).join()];
  const { code, stdout, stderr } = await run(process.execPath, words);
  expect(code, stderr).toBe(0);
  const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}');
  for (const [part, keys] of Object.entries(KEYS))
    for (const key of keys) expect(result[part]?.[key], `${part}.${key}`).toBeTypeOf('number');
  expect(result.load).toBeTypeOf('number');
  expect(result.P5).toMatchObject({ lost: 0, doubled: 0 });
});
