// Runs the tests several times, in some runs under load, and counts the failed runs. Even a test that fails once in
// fifty runs under load is a defect. Exit code 1 if a run failed.
//
//   npm run test:repeat [-- --times 10] [--under-load 4] [--project fast --project real …] [--json] [FILE …]
//
// The last line is the result; the failed tests of each run are printed above it.

import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './setup/paths.mjs';
import { run } from './setup/run.mjs';

/**
 * The six processes that make load. On a machine with two cores they leave each test about a quarter of its usual
 * processor time.
 */
const LOAD = ['cpu', 'cpu', 'cpu', 'cpu', 'disk', 'disk'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '10' },
    'under-load': { type: 'string' },
    project: { type: 'string', multiple: true, default: ['fast', 'real', 'alone'] },
    json: { type: 'boolean', default: false },
  },
});
const times = Number(values.times);
const loaded = Number(values['under-load'] ?? Math.round(times * 0.4));
if (!Number.isInteger(times) || times < 1 || !Number.isInteger(loaded) || loaded < 0 || loaded > times) {
  console.error('--times must be a whole number of at least 1, --under-load one from 0 to --times.');
  process.exit(2);
}

const say = values.json ? console.error : console.log;
const folder = mkdtempSync(join(tmpdir(), 'bt-repeat-'));
const seconds = [];
let failed = 0;
for (let index = 0; index < times; index++) {
  const underLoad = isLoaded(index);
  const { problems, took, tests } = await (underLoad ? beside(LOAD, () => play(index)) : play(index));
  seconds.push(took);
  if (problems.length > 0) failed++;
  const outcome = problems.length === 0 ? `${tests} tests green` : `${problems.length} FAILED`;
  say(`run ${index + 1} of ${times}${underLoad ? ', under load' : ''}: ${outcome}, ${took} s`);
  for (const problem of problems) say(`  ✗ ${problem}`);
}
rmSync(folder, { recursive: true, force: true });
seconds.sort((one, other) => one - other);
console.log(
  JSON.stringify({ runs: times, failed, under_load: loaded, seconds_p50: seconds[Math.floor(times / 2)] ?? 0 }),
);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * Returns whether this run is under load. The runs under load are spread evenly over all runs.
 *
 * @param {number} index
 */
function isLoaded(index) {
  return Math.floor(((index + 1) * loaded) / times) > Math.floor((index * loaded) / times);
}

/**
 * @param {number} index
 * @returns {Promise<{ problems: string[], took: number, tests: number }>}
 */
async function play(index) {
  const file = join(folder, `${index}.json`);
  const words = [
    'run',
    ...values.project.map((name) => `--project=${name}`),
    '--reporter=json',
    `--outputFile=${file}`,
    ...positionals,
  ];
  const began = performance.now();
  const { code, output } = await run([process.execPath, join(ROOT, 'node_modules/vitest/vitest.mjs'), ...words], {
    cwd: ROOT,
  });
  const took = Math.round((performance.now() - began) / 1000);
  const { problems, tests } = readReport(file);
  // An error outside any test (an unhandled rejection, a file that cannot be loaded) fails the run as well.
  if (code !== 0 && problems.length === 0) problems.push(output.trim().slice(-2_000) || `vitest ended with ${code}`);
  return { problems, took, tests };
}

/** @param {string} file */
function readReport(file) {
  /** @type {{ numPassedTests: number, testResults: { name: string, message: string, assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }[] }} */
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const problems = report.testResults.flatMap(({ name, assertionResults, message }) => {
    const red = assertionResults.filter(({ status }) => status === 'failed');
    if (assertionResults.length === 0 && message) return [`${name}: ${message.slice(0, 500)}`];
    return red.map(
      ({ fullName, failureMessages }) =>
        `${name.slice(ROOT.length + 1)} › ${fullName}: ${(failureMessages[0] ?? '').slice(0, 1_500)}`,
    );
  });
  return { problems, tests: report.numPassedTests };
}

/**
 * @template T
 * @param {readonly string[]} kinds
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function beside(kinds, work) {
  const busy = kinds.map((kind) => fork(join(ROOT, 'scripts/test/busy.mjs'), [kind]));
  try {
    return await work();
  } finally {
    for (const child of busy) child.kill('SIGTERM');
  }
}
