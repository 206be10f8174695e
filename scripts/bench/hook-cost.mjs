import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { ROOT } from '../setup/paths.mjs';
import { median } from './statistics.mjs';

const has = (/** @type {string} */ program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

/**
 * Compiles a C program of the folder bench/floor.
 *
 * @param {string} folder
 * @param {string} name
 * @param {string[]} flags
 */
function compile(folder, name, flags) {
  const [program, source] = [join(folder, name), join(ROOT, 'bench/floor', `${name}.c`)];
  return spawnSync('cc', ['-O2', ...flags, '-o', program, source], { stdio: 'ignore' }).status === 0
    ? program
    : undefined;
}

/**
 * Measures the hook script and its alternatives. They run in turns, so that load on the machine affects all of them
 * alike.
 * @param {{ folder: string, hook: string, agent: import('./baton-server.mjs').BenchAgent, payload: string, rounds: number }} bench
 */
export async function measureCost({ folder, hook, agent, payload, rounds }) {
  const sink = createServer((question, answer) => {
    question.resume().on('end', () => answer.end('ok'));
  }).listen(0, '127.0.0.1');
  await once(sink, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (sink.address());

  const skipped = [];
  /** @type {Map<string, string>} */
  const commands = new Map([
    ['sh', ':'],
    ['hook', `exec '${hook}' PreToolUse`],
  ]);
  const hasCompiler = has('cc');
  const floor = hasCompiler ? (compile(folder, 'hook', ['-static']) ?? compile(folder, 'hook', [])) : undefined;
  const spool = mkdtempSync(join(folder, 'spool-of-floor-'));
  if (floor !== undefined) commands.set('c', `exec '${floor}' '${spool}' PreToolUse`);
  else skipped.push('no C compiler here, so no C program beside it');
  if (has('curl')) commands.set('curl', `curl -s -o /dev/null --data-binary @- http://127.0.0.1:${port}/`);
  else skipped.push('no curl here');

  const input = join(folder, 'payload.json');
  writeFileSync(input, payload);
  const timer = hasCompiler ? compile(folder, 'run-in-turns', []) : undefined;
  if (timer === undefined) skipped.push('timed from Node, which adds its own cost of starting a process to each');
  const words = [...commands.values()];
  const times =
    timer === undefined
      ? await timeFromNode(words, { rounds, payload, env: agent.env })
      : await timeFromC([timer, String(rounds), input, ...words], agent.env);
  sink.close();
  sink.closeAllConnections();

  /**
   * @param {string} name
   * @returns {number[]} one measured time for each round, in ms
   */
  const timesOf = (name) => {
    const at = [...commands.keys()].indexOf(name);
    return at < 0 ? [] : times.filter((_, index) => index % commands.size === at);
  };
  const hooks = timesOf('hook');
  /** @param {string} name */
  const ratioTo = (name) => {
    const others = timesOf(name);
    return others.length === 0 ? null : median(others.map((other, round) => (hooks[round] ?? 0) / other));
  };
  return { ratioTo, medianOf: (/** @type {string} */ name) => median(timesOf(name)), skipped };
}

/**
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} env
 */
async function timeFromC([program = '', ...args], env) {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error('a measured command failed');
  return output
    .trim()
    .split('\n')
    .map((line) => Number(line) / 1e6);
}

/**
 * @param {string[]} commands
 * @param {{ rounds: number, payload: string, env: NodeJS.ProcessEnv }} how
 */
async function timeFromNode(commands, { rounds, payload, env }) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    for (const command of commands) {
      const from = performance.now();
      const child = spawn('/bin/sh', ['-c', command], { env, stdio: ['pipe', 'ignore', 'inherit'] });
      child.stdin.on('error', () => undefined).end(payload);
      await once(child, 'exit');
      times.push(performance.now() - from);
    }
  }
  return times;
}
