import { defineConfig } from 'vitest/config';
import { plantBug } from './prove/plants/plugin.mjs';

export default defineConfig({
  plugins: [plantBug(process.env.BATON_PLANT)],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/scratch-folder.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A bound for what never comes, not a measure: one second is too short on a machine that others use as well.
    expect: { poll: { timeout: 20_000 } },
    // Real tmux servers and processes, which wait more than they work: three files at a time keep two cores busy.
    maxWorkers: 3,
  },
});
