import { defineConfig } from 'vitest/config';
import { plantBug } from './prove/plants/plugin.mjs';

export default defineConfig({
  plugins: [plantBug(process.env.BATON_PLANT)],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/scratch-folder.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Real tmux servers and processes, which wait more than they work: three files at a time keep two cores busy.
    maxWorkers: 3,
  },
});
