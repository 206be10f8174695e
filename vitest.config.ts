import { defineConfig } from 'vitest/config';
import { plantBug } from './prove/plants/plugin.mjs';
import { LongestFirst } from './test/support/longest-first.ts';
import SkippedReporter from './test/support/skipped-reporter.ts';

/**
 * Long proofs in their short forms; the walk, which computes for a minute and a half; and the end-to-end tests of kills,
 * faults, attacks and the findings of real life, which take a third of the time of all.
 */
const PROOFS = [
  'test/prove/**/*.test.ts',
  'test/domain/handoffs/exhaustive-walk.test.ts',
  'test/e2e/agents/{environment,resume}.test.ts',
  'test/e2e/handoffs/{faults,liveness,real-life}.test.ts',
  'test/e2e/operator/{agent-as-operator,json-everywhere}.test.ts',
  'test/e2e/packages/exchange.test.ts',
  'test/e2e/sessions/adoption.test.ts',
  'test/browser/{edges,hostile,hostile-packages,looks,trouble}.test.ts',
];

/** Start tmux, browsers, git, shells or the built product. */
const REAL_PARTS = [
  'test/{browser,e2e,maintenance,practice}/**/*.test.ts',
  'test/adapters/{environment,git,tmux}/**/*.test.ts',
  'test/adapters/notify/desktop.test.ts',
  'test/adapters/runtimes/operator-hooks.test.ts',
  'test/{layers,setup}.test.ts',
];

/** Replace a module of Node's for their file, so they need a module graph of their own. */
const MOCKING = ['test/adapters/files/write-whole-file.test.ts'];

/**
 * Four projects: `npm run test:fast` runs `fast`, `npm test` also `real` and `alone`, `npm run prove` runs `prove`.
 * Times are upper bounds for events that never come. No test measures with them: the machine may be busy.
 */
export default defineConfig({
  plugins: [plantBug(process.env.BATON_PLANT)],
  test: {
    reporters: ['default', new SkippedReporter()],
    globalSetup: ['test/support/scratch-folder.ts'],
    sequence: { sequencer: LongestFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Most files wait for tmux, agents and browsers more than they compute: five at a time keep two cores busy.
    maxWorkers: 5,
    maxConcurrency: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [...PROOFS, ...REAL_PARTS, ...MOCKING],
          // Loading the modules anew for each file costs more than the tests themselves.
          isolate: false,
          pool: 'threads',
        },
      },
      // Processes, not threads: some set the umask or change the folder. They run all files.
      { extends: true, test: { name: 'real', include: REAL_PARTS, exclude: PROOFS, isolate: false, pool: 'forks' } },
      { extends: true, test: { name: 'alone', include: MOCKING } },
      { extends: true, test: { name: 'prove', include: PROOFS } },
    ],
  },
});
