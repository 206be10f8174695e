import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/scratch-folder.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Real tmux servers and processes: two cores serve two files at a time without starving each other.
    maxWorkers: 2,
  },
});
