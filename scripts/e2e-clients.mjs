// npm run e2e:clients -- claude-code [--json] [--only check,check] [--log FILE]
// npm run e2e:clients -- claude-code --handoff [--json] [--only case,case] [--log FILE]    whole handoffs, with all that can come between
// npm run e2e:clients -- claude-code --life [--json] [--only name,name] [--repeat N] [--sentences FILE] [--log FILE]    situations of real life
// npm run e2e:clients -- claude-code --package [--json] [--log FILE]    a delegation by package, through the client's own tools
// npm run e2e:clients -- claude-code --record    records the client's hooks again (test/fixtures/claude-code/traces)
//
// --client-version 2.0.77 uses another release; the features that it lacks are reported under `cannot`, with the
// reason (test/clients/cannot.mjs).
//
// Runs the real client from the registry with a stub model on loopback, so it needs no account and no key.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkClaudeCode, PACKAGE, programIn, VERSION } from '../test/clients/claude-code.mjs';
import { checkHandoffs } from '../test/clients/claude-code-handoffs.mjs';
import { checkLife } from '../test/clients/claude-code-life.mjs';
import { checkPackages } from '../test/clients/claude-code-packages.mjs';
import { recordTraces } from '../test/conformance/record-claude-code.mjs';
import { CACHE } from './setup/paths.mjs';
import { run } from './setup/run.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    log: { type: 'string' },
    handoff: { type: 'boolean', default: false },
    package: { type: 'boolean', default: false },
    life: { type: 'boolean', default: false },
    repeat: { type: 'string', default: '1' },
    sentences: { type: 'string' },
    'client-version': { type: 'string', default: VERSION },
    record: { type: 'boolean', default: false },
  },
});

if (positionals.length !== 1 || positionals[0] !== 'claude-code') {
  console.error(
    'Usage: npm run e2e:clients -- claude-code [--handoff | --package | --life] [--json] [--only check,check] [--log FILE] [--client-version V] [--record]',
  );
  process.exit(2);
}

const version = values['client-version'];
const program = await install();
const { json, only, log } = values;
const say = (/** @type {string} */ line) => void (json ? process.stderr : process.stdout).write(`${line}\n`);

if (values.record) {
  const complete = await recordTraces({ program, version, say });
  console.log(complete ? 'All scenes recorded.' : 'Not all scenes recorded: some differ from one play to the next.');
  process.exit(complete ? 0 : 1);
}

const wanted = {
  program,
  version,
  ...(only === undefined ? {} : { only }),
  ...(log === undefined ? {} : { log }),
  say,
};
const report = await check();
console.log(json ? JSON.stringify(report) : report.passed ? 'All passed.' : 'Not all passed.');
process.exitCode = report.passed ? 0 : 1;

function check() {
  if (values.handoff) return checkHandoffs(wanted);
  if (values.package) return checkPackages(wanted);
  if (!values.life) return checkClaudeCode(wanted);
  const { sentences, repeat } = values;
  return checkLife({ ...wanted, repeat: Number(repeat), ...(sentences === undefined ? {} : { sentences }) });
}

/** Installs the client without install scripts, in a clean environment, so that only the client itself runs. */
async function install() {
  const folder = join(CACHE, 'clients', `claude-code-${version}`);
  const path = programIn(join(folder, 'node_modules'), version);
  if (existsSync(path) && installedVersion(dirname(path)) === version) return path;
  mkdirSync(join(folder, 'home'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const env = { PATH: process.env.PATH, HOME: join(folder, 'home') };
  const words = ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', `${PACKAGE}@${version}`];
  const { code, output } = await run(words, { cwd: folder, env });
  if (code !== 0 || !existsSync(path)) throw new Error(`${PACKAGE}@${version} could not be installed:\n${output}`);
  return path;
}

function installedVersion(/** @type {string} */ folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
}
