// Starts the built product in a temporary home with a real client. No variable, file or key of the person who runs the
// tests reaches the client. The operator's actions in the pane are real key presses.

import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../dist/main/baton.js', import.meta.url));
/** The timeout of each wait is long, because the machine may be busy. */
const PATIENCE_MS = 60_000;

/**
 * @typedef {{ home?: string, user?: string, project?: string }} Names of the folders
 * @param {{ env: Record<string, string | undefined>, files: import('./describe/client.mjs').Files, config?: object, homeFiles?: Record<string, string>,
 *   projectFiles?: Record<string, string>, crashAt?: string, names?: Names, linked?: boolean }} client
 *   environment and files below its HOME; files below Baton's home and the project; the moment at which Baton is killed
 *   (src/adapters/system/crash-point.ts); whether both homes are named through a symbolic link
 */
export async function startBatonWith({
  env,
  files,
  config = {},
  homeFiles = {},
  projectFiles = {},
  crashAt = '',
  names = {},
  linked = false,
}) {
  const real = realpathSync(mkdtempSync(join(tmpdir(), 'btc-')));
  const scratch = linked ? `${real}-link` : real;
  if (linked) symlinkSync(real, scratch);
  const home = join(scratch, names.home ?? 'b');
  const user = join(scratch, names.user ?? 'user');
  const project = join(real, names.project ?? 'project');
  for (const folder of [home, user, project]) mkdirSync(folder, { mode: 0o700 });
  const settings = { port: 0, reconcile_every_ms: 300, notifications: { os: false }, ...config };
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
  writeBelow(user, files);
  writeBelow(home, homeFiles);
  writeBelow(project, projectFiles);
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
  let child = await start(crashAt).catch((error) => {
    rmSync(real, { recursive: true, force: true });
    if (linked) rmSync(scratch);
    throw error;
  });
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
    scratch,
    home,
    user,
    project,
    call,
    /**
     * Runs the command line as a person would, with a time limit.
     * @returns {Promise<{ code: number | null, output: string, ms: number }>}
     */
    shell: (/** @type {string[]} */ argv, timeout = 30_000) => shellOnce([PROGRAM, ...argv], clean, timeout),
    /**
     * Runs the command line as the operator and parses its JSON.
     * @param {string[]} argv
     * @returns {Promise<any>}
     */
    cli: async (...argv) => JSON.parse(await run(process.execPath, [PROGRAM, ...argv, '--json'], clean)),
    /** The operator's own tmux server, which Baton does not manage. `cleanUp` ends this server. */
    ownTmux,
    ownSocket: join(scratch, 'own.sock'),
    agent: (/** @type {number} */ id) => call('GET', `/api/agents/${id}`),
    say: (/** @type {number} */ id, /** @type {string} */ text) => call('POST', `/api/agents/${id}/messages`, { text }),
    /** @param {number} id @param {(agent: any) => boolean} fits */
    agentWhen: (id, fits, patience = PATIENCE_MS) =>
      until(`agent ${id}`, () => call('GET', `/api/agents/${id}`), fits, patience),
    /** Types and presses keys in the pane, like the operator. */
    type: async (/** @type {any} */ agent, /** @type {string} */ text) =>
      void (await tmux('send-keys', '-t', agent.tmux.pane, '-l', '--', text)),
    /** Presses the keys with a pause after each key, because some clients treat two Escapes at once as another key. */
    press: async (/** @type {any} */ agent, /** @type {string[]} */ ...keys) => {
      for (const [index, key] of keys.entries()) {
        if (index > 0) await sleep(200);
        await tmux('send-keys', '-t', agent.tmux.pane, key);
      }
    },
    /** Runs a command on the tmux server at the given socket. */
    tmux: (/** @type {string} */ socket, /** @type {string[]} */ ...args) =>
      run('tmux', ['-u', '-S', socket, ...args], { PATH, LANG: 'C.UTF-8' }),
    screen: (/** @type {any} */ agent) => tmux('capture-pane', '-p', '-t', agent.tmux.pane),
    kill: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    },
    /**
     * Waits until the server has ended, and then starts it again. The server ends because this script killed it, or
     * because it reached its crash point.
     */
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
      // A client writes into the home until the client ends, so wait for the end of all clients.
      await until(
        'the end of the clients',
        async () => clients.some(isAlive),
        (alive) => !alive,
      ).catch(() => undefined);
      await sleep(500);
      rmSync(real, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
      if (linked) rmSync(scratch);
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

/** @param {string} folder @param {import('./describe/client.mjs').Files} files */
function writeBelow(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof text === 'string' ? text : text(folder));
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

/** @param {string[]} argv @param {NodeJS.ProcessEnv} env @param {number} timeout */
function shellOnce(argv, env, timeout) {
  const began = performance.now();
  return new Promise((/** @type {(said: { code: number | null, output: string, ms: number }) => void} */ resolve) => {
    let output = '';
    const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.once('close', (code) => resolve({ code, output, ms: Math.round(performance.now() - began) }));
  });
}

/** @returns {Promise<string>} */
function run(/** @type {string} */ file, /** @type {string[]} */ args, /** @type {NodeJS.ProcessEnv} */ env) {
  return new Promise((resolve) => {
    execFile(file, args, { env, encoding: 'utf8' }, (_error, stdout) => resolve(stdout));
  });
}
