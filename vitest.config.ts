import { defineConfig } from 'vitest/config';
import { plantBug } from './prove/plants/plugin.mjs';

export default defineConfig({
  plugins: [plantBug(process.env.BATON_PLANT)],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/scratch-folder.ts'],
    // Bounds for what never comes, not measures: others may use the machine as well.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Real tmux servers and processes, which wait more than they work: three files at a time keep two cores busy.
    maxWorkers: 3,
  },
});
