import { defineConfig } from 'vitest/config';
import { plantBug } from './prove/plants/plugin.mjs';
import { LongestFirst } from './test/support/longest-first.ts';
import SkippedReporter from './test/support/skipped-reporter.ts';

/**
 * Slow tests that run only in the `prove` project: short forms of long proofs, the exhaustive walk (a minute and a half
 * of computing), and the end-to-end tests of kills, faults, attacks and real-life findings (a third of the total time).
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

/** Tests that start tmux, browsers, git, shells or the built product. */
const REAL_PARTS = [
  'test/{browser,e2e,maintenance,practice}/**/*.test.ts',
  'test/adapters/{environment,git,tmux}/**/*.test.ts',
  'test/adapters/notify/desktop.test.ts',
  'test/adapters/runtimes/operator-hooks.test.ts',
  'test/{layers,setup}.test.ts',
];

/** Tests that replace a module of Node. They must not share loaded modules with other test files. */
const MOCKING = ['test/adapters/files/write-whole-file.test.ts'];

/**
 * There are four projects: `npm run test:fast` runs `fast`, `npm test` runs `fast`, `real` and `alone`, and `npm run
 * prove` runs `prove`. A timeout only ends a test that waits for an event in vain. No test measures time with a
 * timeout, because the machine may be busy.
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
    // Run five files at a time, because most files wait for tmux, agents and browsers more than they compute. Five
    // files keep two cores busy.
    maxWorkers: 5,
    maxConcurrency: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [...PROOFS, ...REAL_PARTS, ...MOCKING],
          // Share loaded modules between files, because loading them again for each file takes longer than the tests
          // themselves.
          isolate: false,
          pool: 'threads',
        },
      },
      // Use processes instead of threads, because some tests set the umask or change the current folder. Each process
      // runs many files.
      {
        extends: true,
        test: { name: 'real', include: REAL_PARTS, exclude: [...PROOFS, ...MOCKING], isolate: false, pool: 'forks' },
      },
      { extends: true, test: { name: 'alone', include: MOCKING } },
      { extends: true, test: { name: 'prove', include: PROOFS } },
    ],
  },
});
