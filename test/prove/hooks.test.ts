import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { run } from '../support/baton-process.ts';

const BENCH = fileURLToPath(new URL('../../scripts/bench/hooks.mjs', import.meta.url));

/** This test checks no durations. To measure durations, run `npm run bench:hooks` on an idle machine. */
it('[F36] [P7] if the server is killed twice, none of 600 hooks is lost, doubled or out of order', {
  timeout: 600_000,
}, async () => {
  const { code, stdout, stderr } = await run(process.execPath, [BENCH, '--short', '--json']);
  const last = stdout.trim().split('\n').at(-1) ?? '';
  expect(code, stderr).toBe(0);
  expect(JSON.parse(last)).toMatchObject({ events: 600, lost: 0, doubled: 0, reordered: 0 });
});
