// The built product in a home of its own with a client that knows nothing of this machine: no variable, file or key of
// whoever runs this reaches it. What the operator does in the pane is done as an operator does it, with keys.

import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../dist/main/baton.js', import.meta.url));
const PATIENCE_MS = 20_000;

/**
 * @param {{ env: Record<string, string>, files: Record<string, string>, config?: object, homeFiles?: Record<string, string>, crashAt?: string }} client
 *   environment and files below its HOME; files below Baton's home; the moment at which Baton is killed (src/main/crash-point.ts)
 */
export async function startBatonWith({ env, files, config = {}, homeFiles = {}, crashAt = '' }) {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'btc-')));
  const [home, user, project] = ['b', 'user', 'project'].map((name) => join(scratch, name));
  for (const folder of [home, user, project]) mkdirSync(folder, { mode: 0o700 });
  const settings = { port: 0, reconcile_every_ms: 300, notifications: { os: false }, ...config };
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
  writeBelow(user, files);
  writeBelow(home, homeFiles);
  const PATH = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');
  const clean = { PATH, HOME: user, LANG: 'C.UTF-8', TERM: 'screen-256color', BATON_HOME: home, ...env };
  const start = async (/** @type {string} */ crash) => {
    const started = spawn(process.execPath, [PROGRAM, 'start'], {
      env: { ...clean, BATON_CRASH_AT: crash },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await greeting(started);
    return started;
  };
  let child = await start(crashAt);
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const token = readFileSync(join(home, 'token'), 'utf8').trim();

  /** @returns {Promise<any>} */
  const call = (/** @type {string} */ method, /** @type {string} */ path, /** @type {unknown} */ body) =>
    callOnce({ socketPath: join(home, 'baton.sock'), method, path, token, body });
  const tmux = (/** @type {string[]} */ ...args) =>
    run('tmux', ['-u', '-S', join(home, 'tmux.sock'), ...args], { PATH, LANG: 'C.UTF-8' });

  const ownTmux = (/** @type {string[]} */ ...args) =>
    run('tmux', ['-u', '-S', join(scratch, 'own.sock'), ...args], { ...clean, SHELL: '/bin/sh' });

  return {
    home,
    user,
    project,
    call,
    /** The command line, as the operator runs it. @param {string[]} argv @returns {Promise<any>} */
    cli: async (...argv) => JSON.parse(await run(process.execPath, [PROGRAM, ...argv, '--json'], clean)),
    /** The operator's own tmux, of which Baton knows nothing; it goes with all else. */
    ownTmux,
    ownSocket: join(scratch, 'own.sock'),
    agent: (/** @type {number} */ id) => call('GET', `/api/agents/${id}`),
    say: (/** @type {number} */ id, /** @type {string} */ text) => call('POST', `/api/agents/${id}/messages`, { text }),
    /** @param {number} id @param {(agent: any) => boolean} fits */
    agentWhen: (id, fits, patience = PATIENCE_MS) =>
      until(`agent ${id}`, () => call('GET', `/api/agents/${id}`), fits, patience),
    /** The operator's own hands. */
    type: async (/** @type {any} */ agent, /** @type {string} */ text) =>
      void (await tmux('send-keys', '-t', agent.tmux.pane, '-l', '--', text)),
    press: async (/** @type {any} */ agent, /** @type {string[]} */ ...keys) =>
      void (await tmux('send-keys', '-t', agent.tmux.pane, ...keys)),
    /** Another tmux server than Baton's. */
    tmux: (/** @type {string} */ socket, /** @type {string[]} */ ...args) =>
      run('tmux', ['-u', '-S', socket, ...args], { PATH, LANG: 'C.UTF-8' }),
    screen: (/** @type {any} */ agent) => tmux('capture-pane', '-p', '-t', agent.tmux.pane),
    kill: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    },
    /** Once it was killed, by us or at its crash point. */
    startAgain: async (crash = '', patience = 60_000) => {
      await until('the death of Baton', async () => isOver(), Boolean, patience);
      child = await start(crash);
    },
    cleanUp: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      if (!isOver()) {
        child.kill('SIGTERM');
        await gone;
      }
      const clients = (await tmux('list-panes', '-a', '-F', '#{pane_pid}')).split('\n').filter(Boolean).map(Number);
      await tmux('kill-server');
      await ownTmux('kill-server');
      // A client that is told to go still writes into its HOME.
      await until(
        'the end of the clients',
        async () => clients.some(isAlive),
        (alive) => !alive,
      ).catch(() => undefined);
      await sleep(500);
      rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

function isAlive(/** @type {number} */ pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function writeBelow(/** @type {string} */ folder, /** @type {Record<string, string>} */ files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** @param {string} what @param {() => Promise<any>} look @param {(seen: any) => boolean} fits */
export async function until(what, look, fits, patience = PATIENCE_MS) {
  const end = Date.now() + patience;
  for (;;) {
    const seen = await look();
    if (fits(seen)) return seen;
    if (Date.now() > end)
      throw new Error(`${what} never came to it; last seen: ${JSON.stringify(seen)?.slice(0, 600)}`);
    await sleep(25);
  }
}

function greeting(/** @type {import('node:child_process').ChildProcess} */ child) {
  let output = '';
  return new Promise((resolve, reject) => {
    const listen = (/** @type {Buffer} */ chunk) => {
      output += chunk;
      if (output.includes('Stop:')) resolve(undefined);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', () => reject(new Error(`Baton ended: ${output}`)));
  });
}

/** @param {{ socketPath: string, method: string, path: string, token: string, body: unknown }} asked */
function callOnce({ socketPath, method, path, token, body }) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request({ socketPath, method, path, headers }, async (response) => {
      const chunks = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(JSON.parse(Buffer.concat(chunks).toString() || '{}'));
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** @returns {Promise<string>} */
function run(/** @type {string} */ file, /** @type {string[]} */ args, /** @type {NodeJS.ProcessEnv} */ env) {
  return new Promise((resolve) => {
    execFile(file, args, { env, encoding: 'utf8' }, (_error, stdout) => resolve(stdout));
  });
}
