// Runs a client in its own tmux server, with hooks that only record their input. The same code drives the real client
// and the practice agent, so any difference between their traces comes from the clients.

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @typedef {{ sessionId: string, settings: string, folder: string, user: string, project: string }} Place
 * @typedef {{ argv: string[], env: Record<string, string>, files: Record<string, string> }} Launch files below the place's folder
 * @typedef {{ hello: string, slow: string, endless: string, silent: string, write: string, slowTool: string, endlessTool: string,
 *   failedTool: string, slowThenTool: string, ask: string, error: string, full: string }} Phrases
 * @typedef {{ name: string, phrases: Phrases, launch: (place: Place) => Launch }} Client
 */

/** The hook events that Baton uses, and two more events that help to explain why a hook event is missing. */
const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'Notification',
  'Stop',
  'StopFailure',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'SessionEnd',
];

const PATIENCE_MS = 25_000;
/** How long to wait between the text and Enter, because a client may treat an Enter right after text as a newline. */
const SETTLE_MS = 200;
const SIZE = ['-x', '120', '-y', '40'];
const PATH = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');
/** The animated line that the client shows while a turn runs. */
const SPINNER = /^[·✢✳✶✻✽*] \S.*…/m;
const COMPOSER = /^❯\u00a0(.*)$/m;

export class ClientPane {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'btt-')));
  sessionId = randomUUID();
  /** @type {string[]} the prompts that were sent to the client, in order */
  said = [];

  /**
   * @param {Client} client
   * @param {Record<string, string>} hooks for each event, a further hook command that runs after the recording one
   */
  static async start(client, hooks = {}) {
    const pane = new ClientPane(client);
    try {
      await pane.launch(hooks);
    } catch (error) {
      await pane.stop();
      throw error;
    }
    return pane;
  }

  /** @param {Client} client */
  constructor(client) {
    this.client = client;
    this.say = client.phrases;
    this.user = join(this.folder, 'user');
    this.project = join(this.folder, 'project');
  }

  /** @param {Record<string, string>} hooks */
  async launch(hooks) {
    for (const path of [this.user, this.project]) mkdirSync(path, { mode: 0o700 });
    const settings = join(this.folder, 'settings.json');
    writeFileSync(settings, JSON.stringify(this.settings(hooks)));
    const { folder, user, project, sessionId } = this;
    const { argv, env, files } = this.client.launch({ sessionId, settings, folder, user, project });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const clean = { PATH, HOME: user, LANG: 'C.UTF-8', TERM: 'screen-256color', ...env };
    const words = Object.entries(clean).map(([name, value]) => `${name}=${value}`);
    await this.tmux('new-session', '-d', '-s', 'hold', 'cat');
    await this.tmux('set', '-g', 'remain-on-exit', 'on');
    await this.tmux(
      'new-session',
      '-d',
      '-s',
      'agent',
      ...SIZE,
      '-c',
      project,
      '/usr/bin/env',
      '-i',
      ...words,
      ...argv,
    );
  }

  /** @param {Record<string, string>} hooks */
  settings(hooks) {
    const record = (/** @type {string} */ file) =>
      `payload=$(cat); printf '%s\\n' "$payload" >> ${join(this.folder, file)}`;
    const commands = (/** @type {string} */ event) => [record('hooks.jsonl'), ...(hooks[event] ? [hooks[event]] : [])];
    const groups = (/** @type {string} */ event) =>
      commands(event).map((command) => ({ hooks: [{ type: 'command', command }] }));
    return {
      hooks: Object.fromEntries(EVENTS.map((event) => [event, groups(event)])),
      statusLine: { type: 'command', command: record('status.jsonl') },
      permissions: { defaultMode: 'default', allow: ['Write', 'Read', 'Bash(sleep:*)', 'Bash(false:*)'] },
    };
  }

  /** Sends a prompt and waits until the client has accepted it. */
  async prompt(/** @type {string} */ text) {
    const before = this.count('UserPromptSubmit');
    await this.send(text);
    await this.until(`a hook for "${text}"`, () => this.count('UserPromptSubmit') > before);
  }

  /** Types the text and Enter, as an operator would. */
  async send(/** @type {string} */ text) {
    await this.type(text);
    await this.enter();
    this.said.push(text);
  }

  async type(/** @type {string} */ text) {
    await this.tmux('send-keys', '-t', 'agent', '-l', '--', text);
  }

  async enter() {
    await this.until('the text in the composer', async () => ((await this.draft()) ?? '') !== '');
    await sleep(SETTLE_MS);
    await this.press('Enter');
  }

  async press(/** @type {string[]} */ ...keys) {
    await this.tmux('send-keys', '-t', 'agent', ...keys);
  }

  screen() {
    return this.tmux('capture-pane', '-p', '-t', 'agent');
  }

  /** Returns the text in the composer, or undefined if the screen shows no composer. */
  async draft() {
    return COMPOSER.exec(await this.screen())?.[1]?.trim();
  }

  async isWorking() {
    return SPINNER.test(await this.screen());
  }

  working() {
    return this.until('a turn at work', () => this.isWorking());
  }

  /** Waits until the composer is shown and no turn runs. */
  resting() {
    return this.until('rest', async () => (await this.draft()) !== undefined && !(await this.isWorking()));
  }

  async event(/** @type {string} */ name, number = 1) {
    await this.until(`${name} number ${number}`, () => this.count(name) >= number);
  }

  count(/** @type {string} */ event) {
    return this.hooks().filter(({ hook_event_name }) => hook_event_name === event).length;
  }

  async exitCode() {
    const status = async () => {
      // Make tmux check again with a short command, because tmux 3.3a sometimes does not notice that a pane has ended.
      await this.tmux('run-shell', 'true');
      return (await this.field('pane_dead_status')).trim();
    };
    await this.until('its end', async () => (await status()) !== '');
    return Number(await status());
  }

  async signal(/** @type {NodeJS.Signals} */ name) {
    process.kill(Number(await this.field('pane_pid')), name);
  }

  field(/** @type {string} */ format) {
    return this.tmux('display-message', '-p', '-t', 'agent', `#{${format}}`);
  }

  hooks() {
    return this.lines('hooks.jsonl');
  }

  statuses() {
    return this.lines('status.jsonl');
  }

  /** @returns {any[]} */
  lines(/** @type {string} */ file) {
    return linesOf(join(this.folder, file));
  }

  has(/** @type {string} */ file) {
    return existsSync(join(this.folder, file));
  }

  /** @param {string} what @param {() => boolean | Promise<boolean>} holds */
  async until(what, holds) {
    const end = Date.now() + PATIENCE_MS;
    while (!(await holds())) {
      if (Date.now() > end) {
        const names = this.hooks().map(({ hook_event_name }) => hook_event_name);
        throw new Error(`${this.client.name} never came to ${what}; hooks: ${names.join(' ')}\n${await this.screen()}`);
      }
      await sleep(20);
    }
  }

  async stop() {
    const pid = Number(await this.field('pane_pid').catch(() => 0));
    await this.tmux('kill-server').catch(() => '');
    for (let tries = 0; tries < 250 && isAlive(pid); tries++) await sleep(20);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** @returns {Promise<string>} */
  tmux(/** @type {string[]} */ ...words) {
    const argv = ['-u', '-S', join(this.folder, 't.sock'), '-f', '/dev/null', ...words];
    return new Promise((resolve, reject) => {
      execFile('tmux', argv, { env: { PATH, LC_ALL: 'C.UTF-8' }, timeout: 10_000 }, (problem, stdout) =>
        problem ? reject(problem) : resolve(stdout),
      );
    });
  }
}

/**
 * @returns {any[]} the parsed complete lines; an incomplete last line is skipped, because a process may still be
 * writing it
 */
export function linesOf(/** @type {string} */ path) {
  if (!existsSync(path)) return [];
  const complete = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return complete.filter((line) => line !== '').map((line) => JSON.parse(line));
}

function isAlive(/** @type {number} */ pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
