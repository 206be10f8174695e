import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '../setup/paths.mjs';

const DEADLINE_MS = 60_000;
/** The maximum number of agents that the bench waits for at the same time. */
const AT_ONCE = 16;

/** @typedef {{ id: number, session: string, env: Record<string, string> }} BenchAgent */
/** @typedef {{ seq: number, type: string, agent_id: number | null, data: Record<string, unknown> }} LogEvent */

/** Runs the built Baton in its own process and home. Calls Baton over its Unix socket, as the command line does. */
export class BatonServer {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-')));
  home = join(this.folder, 'home');
  project = join(this.folder, 'project');
  /** @type {import('node:child_process').ChildProcess | undefined} */
  child;

  constructor() {
    mkdirSync(this.home, { mode: 0o700 });
    mkdirSync(this.project);
    writeFileSync(join(this.project, '.practice.json'), JSON.stringify({ dropHooks: ['SessionStart'] }));
    writeFileSync(join(this.home, 'config.json'), JSON.stringify({ port: 0 }));
  }

  get hook() {
    return join(this.home, 'bin', 'baton-hook');
  }

  get operatorToken() {
    return readFileSync(join(this.home, 'token'), 'utf8').trim();
  }

  /**
   * Starts the server. Resolves when the server answers, or when the server has ended by itself.
   *
   * @param {NodeJS.ProcessEnv} [env]
   * @param {readonly string[]} [nodeOptions]
   */
  async start(env = {}, nodeOptions = []) {
    const child = spawn(process.execPath, [...nodeOptions, join(ROOT, 'dist/main/baton.js'), 'start'], {
      env: { ...process.env, BATON_HOME: this.home, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child = child;
    const serving = new Promise((resolve) => {
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += chunk;
        if (output.includes('Stop:')) resolve(undefined);
      });
    });
    await Promise.race([serving, once(child, 'exit')]);
    return child.exitCode === null && child.signalCode === null;
  }

  /** @param {NodeJS.Signals} [signal] */
  async kill(signal = 'SIGKILL') {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  async cleanUp() {
    await this.kill('SIGTERM');
    const tmux = (/** @type {string[]} */ ...args) =>
      spawnSync('tmux', ['-S', join(this.home, 'tmux.sock'), ...args], { encoding: 'utf8' }).stdout ?? '';
    const agents = tmux('list-panes', '-a', '-F', '#{pane_pid}').split('\n').filter(Boolean).map(Number);
    tmux('kill-server');
    // Wait before removing the folder, because agents still write to it while tmux ends them.
    for (const until = Date.now() + DEADLINE_MS; agents.some(isAlive) && Date.now() < until; ) await pause(25);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  /**
   * @param {string} path
   * @param {Record<string, string>} [headers]
   */
  ask(path, headers = {}, method = 'GET', body = '') {
    const all = { authorization: `Bearer ${this.operatorToken}`, 'content-type': 'application/json', ...headers };
    return new Promise((/** @type {(answer: import('node:http').IncomingMessage) => void} */ resolve, reject) => {
      // Do not use keep-alive, because the server may close an idle connection at the moment at which the next request
      // is sent on it.
      const options = { socketPath: join(this.home, 'baton.sock'), method, path, headers: all, agent: false };
      const sent = request(options, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /**
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<any>}
   */
  async call(path, body) {
    const text = body === undefined ? '' : JSON.stringify(body);
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
    const answer = await this.ask(path, length, body === undefined ? 'GET' : 'POST', text);
    let json = '';
    for await (const chunk of answer.setEncoding('utf8')) json += chunk;
    if ((answer.statusCode ?? 0) >= 300) throw new Error(`${path}: ${json}`);
    return JSON.parse(json);
  }

  /**
   * @param {number} [after]
   * @returns {Promise<LogEvent[]>}
   */
  async eventsAfter(after = 0) {
    /** @type {LogEvent[]} */
    const all = [];
    for (;;) {
      const { events } = await this.call(`/api/events?after=${all.at(-1)?.seq ?? after}`);
      if (events.length === 0) return all;
      all.push(...events);
    }
  }

  /**
   * Calls `onEvent` for each new event when the event arrives on the stream.
   * @param {(event: LogEvent) => void} onEvent
   */
  async follow(onEvent) {
    const { last_seq: after } = await this.call('/api/health');
    const answer = await this.ask(`/api/events?after=${after}`, { accept: 'text/event-stream' });
    let rest = '';
    answer.setEncoding('utf8').on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data: ')) onEvent(JSON.parse(line.slice(6)));
    });
    answer.on('error', () => undefined);
    return () => answer.destroy();
  }

  /**
   * Starts practice agents. Returns the agents with the data that their hooks need. The bench begins each session
   * without a process id, so that Baton accepts an agent's hooks from any process.
   *
   * @param {number} count
   * @returns {Promise<BenchAgent[]>}
   */
  async startAgents(count) {
    const project = await this.call('/api/projects', { path: this.project });
    const agents = [];
    for (let n = 0; n < count; n++) agents.push(await this.call('/api/agents', { project_id: project.id }));
    /** @type {BenchAgent[]} */
    const ready = [];
    // Wait for only a few agents at a time. If there were too many connections, the server would close new ones.
    while (ready.length < count) {
      const few = agents.slice(ready.length, ready.length + AT_ONCE);
      ready.push(...(await Promise.all(few.map(({ id, session_uuid }) => this.ready(id, session_uuid)))));
    }
    return ready;
  }

  /**
   * @param {number} id
   * @param {string} session
   */
  async ready(id, session) {
    const until = Date.now() + DEADLINE_MS;
    /** @param {(agent: { state: string, tmux: { pane: string | null } }) => boolean} fits */
    const agentWhen = async (fits) => {
      while (!fits(await this.call(`/api/agents/${id}`))) {
        if (Date.now() > until) throw new Error(`agent ${id} is not ready`);
        await pause(50);
      }
    };
    await agentWhen(({ tmux }) => tmux.pane !== null);
    // Compute the token in the same way as the server, because no file contains the token once the agent has started.
    const secret = readFileSync(join(this.home, 'secret'), 'utf8').trim();
    const { session_uuid: uuid } = await this.call(`/api/agents/${id}`);
    const token = createHmac('sha256', secret).update(uuid).digest('hex');
    const begun = JSON.stringify({ session_id: session, source: 'startup' });
    // Write a hidden file and rename it, as the hook script does. Baton would reject a half-written file as broken.
    const spool = join(this.home, 'spool');
    writeFileSync(join(spool, `.${id}-1-1`), `baton1 ${token} SessionStart\n${begun}`);
    renameSync(join(spool, `.${id}-1-1`), join(spool, `${id}-1-1`));
    await agentWhen(({ state }) => state === 'idle');
    const env = { PATH: process.env.PATH ?? '', BATON_AGENT_ID: String(id), BATON_AGENT_TOKEN: token };
    return { id, session, env };
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
