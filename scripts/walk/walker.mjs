import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { BatonServer } from '../bench/baton-server.mjs';
import { ROOT } from '../setup/paths.mjs';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */
/** @typedef {{ code: number, stdout: string, stderr: string }} Ran */

const MAX_WAIT_MS = 60_000;
const DESK = { viewport: { width: 1440, height: 900 } };

/**
 * The documents for new users: the README, the guides, and all documents to which the README and the guides link. A job
 * story may use only commands that these documents show.
 */
const DOCUMENTS = [
  'README.md',
  'docs/NOTIFICATIONS.md',
  'docs/REACH.md',
  ...readdirSync(join(ROOT, 'docs/guides')).map((name) => `docs/guides/${name}`),
]
  .map((name) => readFileSync(join(ROOT, name), 'utf8'))
  .join('\n');

/**
 * Plays one job story with a real server, real tmux, practice agents and a real browser. Finds elements of pages only
 * by roles, accessible names and visible words.
 */
export class Walk {
  server = new BatonServer();
  steps = 0;
  /** The time that all steps took, in seconds. Preparing agents and projects is not included. */
  seconds = 0;
  /** @type {import('playwright-core').BrowserContext[]} */
  contexts = [];
  /** @type {Page | undefined} */
  page;
  /** @type {(() => unknown)[]} */
  endings = [];

  /** @param {{ name: string, browser: Browser, pictures: string | undefined, tell: (line: string) => void }} given */
  constructor(given) {
    this.given = given;
    const { home } = this.server;
    writeFileSync(join(home, 'config.json'), JSON.stringify({ port: 0, reconcile_every_ms: 300 }));
  }

  /**
   * Performs one step of the operator. The title says what the operator does and sees.
   *
   * @template T
   * @param {string} title
   * @param {() => Promise<T>} act
   * @returns {Promise<T>}
   */
  async step(title, act) {
    this.steps++;
    const began = performance.now();
    try {
      return await act();
    } catch (error) {
      throw new Error(`step ${this.steps} (${title}): ${error instanceof Error ? error.message : error}`);
    } finally {
      const took = (performance.now() - began) / 1000;
      this.seconds += took;
      this.given.tell(`  ${this.given.name} ${this.steps}. ${title} (${took.toFixed(1)} s)`);
      await this.picture();
    }
  }

  async picture() {
    const { pictures, name } = this.given;
    if (pictures === undefined || this.page === undefined || this.page.isClosed()) return;
    mkdirSync(pictures, { recursive: true });
    const file = `${name}-${String(this.steps).padStart(2, '0')}.png`;
    await this.page.screenshot({ path: join(pictures, file) }).catch(() => undefined);
  }

  /**
   * Creates a project folder with a plan and with a file that tells practice agents how to behave.
   *
   * @param {string} name
   * @param {object} [behaviour]
   */
  folder(name, behaviour = {}) {
    const path = join(this.server.folder, name);
    mkdirSync(path, { recursive: true });
    const items = ['parser', 'printer', 'tests', 'docs', 'release'].map((item) => `- [ ] Write the ${item}`);
    writeFileSync(join(path, 'PLAN.md'), `# Plan\n${items.join('\n')}\n`);
    writeFileSync(join(path, '.practice.json'), JSON.stringify({ thinkMs: 20, ...behaviour }));
    const identity = ['-c', 'user.name=Walk', '-c', 'user.email=walk@baton.invalid', '-c', 'init.defaultBranch=main'];
    for (const words of [
      ['init', '-q'],
      ['add', '-A'],
      ['commit', '-qm', 'Plan'],
    ])
      spawnSync('git', [...identity, ...words], { cwd: path });
    return path;
  }

  /**
   * Runs a command as the operator types it.
   *
   * @param {string} line
   * @param {{ cwd?: string, mayFail?: boolean }} [more]
   */
  async baton(line, { cwd = this.server.folder, mayFail = false } = {}) {
    const [, group = '', verb = ''] = line.split(' ');
    const written = `baton ${group}${/^[a-z-]+$/.test(verb) && !verb.startsWith('-') ? ` ${verb}` : ''}`;
    if (!DOCUMENTS.includes(written)) throw new Error(`No document for users names the command: ${written}`);
    const ran = await this.shell(line, cwd);
    if (ran.code !== 0 && !mayFail) throw new Error(`${line} ended with ${ran.code}: ${ran.stdout}${ran.stderr}`);
    return ran;
  }

  /**
   * @param {string} line
   * @param {string} cwd
   * @returns {Promise<Ran>}
   */
  shell(line, cwd) {
    const { home } = this.server;
    const { BATON_AGENT_TOKEN: _, ...own } = process.env;
    const env = { ...own, BATON_HOME: home, PATH: `${join(home, 'bin')}:${own.PATH}` };
    return new Promise((resolve) => {
      const child = spawn('bash', ['--norc', '-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk) => {
        stdout += chunk;
      });
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
    });
  }

  /** Signs a browser in with the address that `baton open --print` prints. @param {object} [look] */
  async signIn(look = DESK) {
    const { stdout } = await this.baton('baton open --print');
    const address = /http:\S+/.exec(stdout)?.[0] ?? '';
    const context = await this.given.browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...look });
    this.contexts.push(context);
    await this.openTab(context, address);
    await this.open
      .getByRole('status')
      .filter({ hasText: /^Live$/ })
      .waitFor();
    return context;
  }

  /**
   * @param {import('playwright-core').BrowserContext} context
   * @param {string} address
   */
  async openTab(context, address) {
    const page = await context.newPage();
    page.setDefaultTimeout(MAX_WAIT_MS);
    this.page = page;
    await page.goto(address);
    return page;
  }

  get open() {
    if (this.page === undefined) throw new Error('no page is open');
    return this.page;
  }

  /**
   * Waits for these words on the page.
   *
   * @param {string | RegExp} words
   * @param {Page | Locator} [within]
   */
  async reads(words, within = this.open) {
    await within.getByText(words).first().waitFor();
  }

  /**
   * Presses the button with this accessible name.
   *
   * @param {string | RegExp} name
   * @param {Page | Locator} [within]
   */
  async press(name, within = this.open) {
    const button = within.getByRole('button', { name, exact: typeof name === 'string' });
    await button.first().click();
  }

  /**
   * Follows the link with this accessible name.
   *
   * @param {string | RegExp} name
   * @param {Page | Locator} [within]
   */
  async follow(name, within = this.open) {
    await within.getByRole('link', { name }).first().click();
  }

  /**
   * @param {string | RegExp} label
   * @param {string} text
   * @param {Page | Locator} [within]
   */
  async fill(label, text, within = this.open) {
    await within.getByLabel(label, { exact: typeof label === 'string' }).fill(text);
  }

  /**
   * Waits until a condition holds. Throws when the time is up.
   *
   * @param {() => Promise<boolean>} holds
   * @param {string} what
   */
  async until(holds, what) {
    for (const end = Date.now() + MAX_WAIT_MS; !(await holds()); ) {
      if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
      await pause(50);
    }
  }

  /**
   * Returns the live agent with this name, as the API describes it. Returns undefined if there is no such agent.
   * @param {string} name
   */
  async agent(name) {
    const { agents } = await this.server.call('/api/agents?live=1');
    return agents.find((/** @type {{ label: string }} */ { label }) => label === name);
  }

  /** Waits until the agents with these names are idle. @param {readonly string[]} names */
  async idle(...names) {
    for (const name of names)
      await this.until(async () => (await this.agent(name))?.state === 'idle', `${name} is idle`);
  }

  async cleanUp() {
    for (const end of this.endings) await end();
    for (const context of this.contexts) await context.close();
    await this.server.cleanUp();
  }
}

/**
 * @param {unknown} holds
 * @param {string} otherwise
 */
export function must(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}
