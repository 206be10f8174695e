// Watches a situation from outside Baton: the client's status file, every byte of its pane, and every sentence that
// Baton says. To find out what the client did, the watcher never relies on Baton's own report.

import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sentencesIn } from './judge/sentences.mjs';

/** @typedef {Awaited<ReturnType<typeof import('../baton-with-client.mjs').startBatonWith>>} Baton */
/** @typedef {import('./judge/judge.mjs').Status} Status */
/** @typedef {import('./judge/judge.mjs').Pane} Pane */
/** @typedef {{ where: string, sentence: string }} Said */

const STATUS_EVERY_MS = 20;
const PANES_EVERY_MS = 300;
const SENTENCES_EVERY_MS = 500;
/**
 * How long Baton is allowed to report a working agent as idle. On a busy machine, Baton needs this time to notice the
 * work.
 */
const CALLED_IDLE_FOR_MS = 4_000;

export class Watch {
  /** The statuses that each client wrote into its status file, by process. @type {Map<number, Status[]>} */
  statuses = new Map();
  /** @type {Map<string, Pane>} */
  panes = new Map();
  /**
   * For each pane, the session that runs in the pane according to Baton.
   * @type {Map<string, string>}
   */
  sessions = new Map();
  /** @type {Map<string, Said>} */
  said = new Map();
  /**
   * Sentences in which Baton called an agent idle while its client's status was busy.
   * @type {string[]}
   */
  calledIdle = [];
  /** @type {Map<number, number>} since when an agent is called idle while its client is busy */
  #idleSince = new Map();
  #over = false;
  /** @type {Promise<void>[]} */
  #loops = [];

  constructor(/** @type {Baton} */ baton) {
    this.baton = baton;
  }

  start() {
    this.#loops = [
      this.#every(STATUS_EVERY_MS, () => this.#look()),
      this.#every(PANES_EVERY_MS, () => this.#findPanes()),
      this.#every(SENTENCES_EVERY_MS, () => this.#listen()),
    ];
  }

  async stop() {
    this.#over = true;
    await Promise.all(this.#loops);
  }

  /** @param {number} ms @param {() => unknown} look */
  async #every(ms, look) {
    while (!this.#over) {
      await look();
      await sleep(ms);
    }
  }

  #look() {
    const at = Date.now();
    const folder = join(this.baton.user, '.claude', 'sessions');
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      if (!/^\d+\.json$/.test(name)) continue;
      const read = readStatus(join(folder, name));
      if (read === null) continue;
      const known = this.statuses.get(read.pid) ?? [];
      this.statuses.set(read.pid, known);
      if (known.at(-1)?.status !== read.status) known.push({ at, status: read.status });
    }
    for (const pane of this.panes.values()) readOn(pane, at);
  }

  async #findPanes() {
    const { tmux, home, scratch } = this.baton;
    const socket = join(home, 'tmux.sock');
    const listed = existsSync(socket) ? await tmux(socket, 'list-panes', '-a', '-F', '#{pane_id} #{pane_pid}') : '';
    for (const line of listed.split('\n').filter(Boolean)) {
      const [pane = '', pid = ''] = line.split(' ');
      if (this.panes.has(pane)) continue;
      const file = join(scratch, `pane-${pane.slice(1)}.bytes`);
      this.panes.set(pane, { pane, pid: Number(pid), file, size: 0, chunks: [] });
      await tmux(socket, 'pipe-pane', '-O', '-t', pane, `cat >> '${file}'`);
    }
  }

  async #listen() {
    const [{ agents = [] }, { runs = [] }, inbox] = await Promise.all(
      ['/api/agents', '/api/runs', '/api/inbox'].map((path) => this.ask(path)),
    );
    this.hear('inbox list', inbox);
    for (const { id } of agents) {
      const agent = await this.ask(`/api/agents/${id}`);
      this.hear('agent show', agent);
      if (agent.tmux?.pane) this.sessions.set(agent.tmux.pane, agent.session_uuid);
      this.#compareIdle(agent);
    }
    for (const { id } of runs) this.hear('handoff show', await this.ask(`/api/runs/${id}`));
  }

  /**
   * Sends a GET request to Baton. Returns an empty object while Baton is down.
   * @returns {Promise<any>}
   */
  ask(/** @type {string} */ path) {
    return this.baton.call('GET', path).catch(() => ({}));
  }

  hear(/** @type {string} */ where, /** @type {unknown} */ told) {
    for (const [path, sentence] of sentencesIn(told)) {
      const said = { where: path === '' ? where : `${where}: ${path}`, sentence };
      this.said.set(`${where} ${sentence}`, said);
    }
  }

  /** @param {any} agent */
  #compareIdle(agent) {
    const pane = this.panes.get(agent.tmux?.pane);
    const working = agent.state === 'idle' && pane !== undefined && this.statusOf(pane.pid) === 'busy';
    if (!working) {
      this.#idleSince.delete(agent.id);
      return;
    }
    const since = this.#idleSince.get(agent.id) ?? Date.now();
    this.#idleSince.set(agent.id, since);
    const began = this.statuses.get(pane.pid)?.at(-1)?.at ?? 0;
    if (Date.now() - Math.max(since, began) < CALLED_IDLE_FOR_MS) return;
    const sentence = `agent ${agent.id} is called idle (${agent.state_reason}) while its client says busy`;
    if (!this.calledIdle.includes(sentence)) this.calledIdle.push(sentence);
  }

  statusOf(/** @type {number} */ pid) {
    return this.statuses.get(pid)?.at(-1)?.status;
  }

  /** @returns {string[]} the sentences that Baton has said so far in the places that match `where` */
  sentences(where = /./) {
    return [...this.said.values()].filter((said) => where.test(said.where)).map(({ sentence }) => sentence);
  }
}

function readStatus(/** @type {string} */ path) {
  try {
    const { pid, status } = JSON.parse(readFileSync(path, 'utf8'));
    return typeof status === 'string' ? { pid, status } : null;
  } catch {
    // The file is missing or half-written. Return null, because the watcher soon reads the file again.
    return null;
  }
}

/** @param {Pane} pane @param {number} at */
function readOn(pane, at) {
  if (!existsSync(pane.file)) return;
  const { size } = statSync(pane.file);
  if (size <= pane.size) return;
  const bytes = Buffer.alloc(size - pane.size);
  const file = openSync(pane.file, 'r');
  readSync(file, bytes, 0, bytes.length, pane.size);
  closeSync(file);
  pane.size = size;
  pane.chunks.push({ at, bytes });
}
