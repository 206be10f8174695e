// npm run e2e:clients -- CLIENT [--json] [--only check,check] [--log FILE]
// npm run e2e:clients -- CLIENT --handoff [--json] [--only case,case] [--log FILE]    complete handoffs, and everything that can interfere
// npm run e2e:clients -- CLIENT --life [--json] [--only name,name] [--repeat N] [--sentences FILE] [--log FILE]    real-life situations
// npm run e2e:clients -- claude-code --package [--json] [--log FILE]    a delegation by package, through the client's own tools
// npm run e2e:clients -- --across [--json] [--only pairs,limited,undo,codex>opencode] [--log FILE]    handoffs from one client to another
// npm run e2e:clients -- claude-code --record    records the client's hooks again (test/fixtures/claude-code/traces)
//
// CLIENT is the name of a runtime that test/clients/describe describes.
// --client-version 2.0.77 uses another release; the features that it lacks are reported under `cannot`, with the
// reason (test/clients/cannot.mjs).
//
// Runs the real client from the registry with a stub model on loopback, so it needs no account and no key.

import { parseArgs } from 'node:util';
import { checkAcross } from '../test/clients/across.mjs';
import { checkClaudeCode } from '../test/clients/claude-code.mjs';
import { checkLife } from '../test/clients/claude-code-life.mjs';
import { checkPackages } from '../test/clients/claude-code-packages.mjs';
import { CLIENTS } from '../test/clients/describe/client.mjs';
import { checkHandoffs } from '../test/clients/handoffs.mjs';
import { checkPrompts } from '../test/clients/prompts.mjs';
import { checkSituations } from '../test/clients/situations/check.mjs';
import { recordTraces } from '../test/conformance/record-claude-code.mjs';
import { installClient } from './setup/client.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    log: { type: 'string' },
    handoff: { type: 'boolean', default: false },
    package: { type: 'boolean', default: false },
    life: { type: 'boolean', default: false },
    across: { type: 'boolean', default: false },
    repeat: { type: 'string', default: '1' },
    sentences: { type: 'string' },
    'client-version': { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});

const { json, only, log } = values;
const say = (/** @type {string} */ line) => void (json ? process.stderr : process.stdout).write(`${line}\n`);
const chosen = { ...(only === undefined ? {} : { only }), ...(log === undefined ? {} : { log }), say };
if (values.across) {
  const clients = [];
  for (const each of CLIENTS)
    clients.push({ client: each, version: each.version, program: await installClient(each, each.version) });
  finish(await checkAcross({ clients, ...chosen }));
  process.exit();
}

const client = CLIENTS.find(({ id }) => positionals.length === 1 && id === positionals[0]);
if (client === undefined) {
  console.error(
    `Usage: npm run e2e:clients -- ${CLIENTS.map(({ id }) => id).join('|')} [--handoff | --package | --life] [--json] [--only check,check] [--log FILE] [--client-version V] [--record]\n   or: npm run e2e:clients -- --across [--json] [--only pairs,limited,undo] [--log FILE]`,
  );
  process.exit(2);
}

const version = values['client-version'] ?? client.version;
const program = await installClient(client, version);

if (values.record) {
  const complete = await recordTraces({ program, version, say });
  console.log(complete ? 'All scenes recorded.' : 'Not all scenes recorded: some differ from one play to the next.');
  process.exit(complete ? 0 : 1);
}

const wanted = { client, program, version, ...chosen };
finish(await check());

/** @param {{ passed: boolean }} report */
function finish(report) {
  console.log(json ? JSON.stringify(report) : report.passed ? 'All passed.' : 'Not all passed.');
  process.exitCode = report.passed ? 0 : 1;
}

function check() {
  const isClaude = client?.id === 'claude-code';
  if (values.handoff) return checkHandoffs(wanted);
  if (!isClaude && values.life) return checkSituations({ ...wanted, repeat: Number(values.repeat) });
  if (!isClaude && values.package) throw new Error(`There are no such checks for ${client?.id} yet.`);
  if (values.package) return checkPackages(wanted);
  if (!values.life) return isClaude ? checkClaudeCode(wanted) : checkPrompts(wanted);
  const { sentences, repeat } = values;
  return checkLife({ ...wanted, repeat: Number(repeat), ...(sentences === undefined ? {} : { sentences }) });
}
