// Takes each bug of prove/plants/plants.mjs in turn, builds Baton with this bug, and runs the proof that must detect
// it. Exits with 1 if a proof passes despite its bug.
//
//   npm run prove:plants [-- --only NAME] [--json]

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PLANTS, plantNamed, RANDOM, SIM } from '../../prove/plants/plants.mjs';
import { buildPlanted } from '../build/planted.mjs';
import { ROOT } from '../setup/paths.mjs';

const SEEDS = 2_000;
/**
 * The number of random kills for each planted bug. This many kills interrupt every kind of work. A bug that loses
 * messages shows only after the last kill, because the proof judges the operator's messages at the end.
 */
const KILLS = 20;
/** The folders of the tests that run the built product. */
const NEEDS_BUILD = /^test\/(e2e|crash)\/|^test\/prove\/(fleet\.|knowledge\/)/;

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, json: { type: 'boolean', default: false } },
});
const wanted = values.only === undefined ? PLANTS : values.only.map(plantNamed);
const say = values.json ? console.error : console.log;

let caught = 0;
for (const plant of wanted) {
  const began = performance.now();
  const red = await prove(plant);
  if (red !== undefined) caught++;
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  say(`${red === undefined ? 'GREEN ' : 'caught'}  ${plant.name.padEnd(28)} ${plant.by} ${red ?? ''} (${seconds} s)`);
}
console.log(JSON.stringify({ plants: wanted.length, caught }));
process.exitCode = caught === wanted.length ? 0 : 1;

/**
 * @param {import('../../prove/plants/plants.mjs').Plant} plant
 * @returns {Promise<string | undefined>} the test failure that shows the bug
 */
function prove({ name, by, red = '' }) {
  if (by === SIM) return playWorlds(name);
  return by === RANDOM ? killAtRandom(name) : runTests(name, by, red);
}

async function killAtRandom(/** @type {string} */ name) {
  await buildPlanted(name);
  const output = await run(name, ['scripts/prove/crash.mjs', '--random', String(KILLS), '--until-red', '--json']);
  const { kills, lost, doubled, silent, stuck } = lastLine(output);
  return lost + doubled + silent + stuck === 0 ? undefined : `after ${kills} kills`;
}

/**
 * @param {string} name
 * @returns {Promise<string | undefined>} the failure that caught the bug
 */
async function playWorlds(name) {
  const output = await run(name, ['scripts/prove/sim.mjs', '--seeds', String(SEEDS), '--until-red']);
  const { first_red: first } = lastLine(output);
  return first === null ? undefined : `seed ${first}`;
}

/**
 * Runs the tests of one file with the planted bug. Counts the bug as found only if a test fails with a message that
 * contains the text `red`. A file that cannot be loaded shows nothing about the bug.
 *
 * @param {string} name
 * @param {string} file
 * @param {string} red
 */
async function runTests(name, file, red) {
  if (NEEDS_BUILD.test(file)) await buildPlanted(name);
  const output = await run(name, ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', file]);
  const { numFailedTests, testResults } = lastLine(output);
  if (numFailedTests === 0) return undefined;
  const tests = testResults.flatMap((/** @type {{ assertionResults: any[] }} */ each) => each.assertionResults);
  const { fullName, failureMessages } = tests.find(
    (/** @type {{ status: string }} */ test) => test.status === 'failed',
  );
  const why = failureMessages.join('\n');
  if (why.includes(red)) return `"${fullName}"`;
  say(`${name}: the proof failed for another reason than "${red}": ${why.slice(-4_000)}`);
  return undefined;
}

/** @param {{ stdout: string, stderr: string }} output */
function lastLine({ stdout, stderr }) {
  try {
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  } catch {
    throw new Error(`the proof broke down: ${stderr.trim() || stdout.trim()}`);
  }
}

/**
 * @param {string} name
 * @param {string[]} args
 * @returns {Promise<{ stdout: string, stderr: string }>}
 */
function run(name, [script = '', ...args]) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, script), ...args], {
      cwd: ROOT,
      env: { ...process.env, BATON_PLANT: name },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', () => resolve({ stdout, stderr }));
  });
}
