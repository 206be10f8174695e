// The environment of one real-life situation: its own Baton, client and model, a watcher, and the operator's keys. A
// failed expectation is recorded, and the situation continues if possible.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBatonWith, until } from '../baton-with-client.mjs';
import { heard, isIdle, WORD } from '../handoff-scene.mjs';
import { startStubModel } from '../model/stub-model.mjs';
import { shownIn, statusesOf, typedWhileWorking } from './judge/judge.mjs';
import { linesOf, UNTRUE } from './judge/sentences.mjs';
import { launchOf } from './launch.mjs';
import { composerIn, escaped } from './screen.mjs';
import { Watch } from './watch.mjs';

/**
 * @typedef {{ settings?: Record<string, any>, claudeJson?: object | null, env?: Record<string, string | null>, hooks?: Record<string, string>,
 *   policy?: string, config?: object, files?: Record<string, string>, projectFiles?: Record<string, string>, homeFiles?: Record<string, string>,
 *   names?: import('../baton-with-client.mjs').Names, linked?: boolean, size?: [number, number], start?: 'idle' | 'pane' | 'none', wrap?: (program: string) => string }} Setting
 *   `settings`, `claudeJson`, `env` (null: not set) and `hooks` (commands by event) are the user's own; `start` says how far the agent is
 *   started before the situation begins
 * @typedef {{ name: string, about: string, finding?: string, setting?: Setting, never?: RegExp[], maySay?: (keyof typeof UNTRUE)[],
 *   play: (stage: Stage) => Promise<void> }} Situation
 *   `about`: the expected result in one sentence; `never`: sentences that are untrue in this situation; `maySay`: names of sentences in
 *   UNTRUE that are true in this situation
 */

const PATIENCE_MS = 45_000;

export class Stage {
  /** @type {string[]} */
  wrong = [];
  /** @type {{ text: string, pane: string }[]} */
  sent = [];
  draftSpoiled = 0;
  agent = { id: 0 };

  /** @param {Situation} situation @param {{ program: string, version: string, log?: string }} client */
  static async open(situation, client) {
    const stage = new Stage(situation);
    try {
      await stage.#open(situation.setting ?? {}, client);
    } catch (error) {
      await stage.close();
      throw error;
    }
    return stage;
  }

  /** @param {Situation} situation */
  constructor(situation) {
    this.situation = situation;
  }

  /** @param {Setting} setting @param {{ program: string, version: string, log?: string }} client */
  async #open(setting, { program, version, log }) {
    this.model = await startStubModel({ ...(log ? { log } : {}) });
    this.baton = await startBatonWith(launchOf(setting, program, version, this.model.port));
    this.watch = new Watch(this.baton);
    this.watch.start();
    this.persona = await this.baton.call('POST', '/api/personas/register', { role: 'developer', name: 'Con' });
    const project = await this.baton.call('POST', '/api/projects', { path: this.baton.project });
    this.wanted = { project_id: project.id, persona: this.persona.slug, runtime: 'claude-code' };
    if (setting.start === 'none') return;
    this.agent = await this.baton.call('POST', '/api/agents', this.wanted);
    if (this.agent.id === undefined) throw new Error(`the agent was refused: ${JSON.stringify(this.agent)}`);
    await this.baton.agentWhen(this.agent.id, ({ tmux }) => tmux.pane !== null, PATIENCE_MS);
    if (setting.size) await this.resize(...setting.size);
    if (setting.start === 'pane') return;
    await this.baton.agentWhen(this.agent.id, (seen) => isIdle(seen) && seen.skill_injected_at !== null, PATIENCE_MS);
    // Wait for the composer before typing, because on a busy machine the client draws it seconds after the session has
    // begun.
    await this.sees(/^❯/m);
    await this.tell(`Remember the word ${WORD}.`);
    await this.idle();
  }

  /** @param {unknown} holds @param {string} otherwise */
  expect(holds, otherwise) {
    if (!holds) this.wrong.push(otherwise);
    return Boolean(holds);
  }

  now(id = this.agent.id) {
    return this.baton.agent(id);
  }

  screen = async (id = this.agent.id) => this.baton.screen(await this.now(id));
  type = async (/** @type {string} */ text) => this.baton.type(await this.now(), text);
  press = async (/** @type {string[]} */ ...keys) => this.baton.press(await this.now(), ...keys);

  async resize(/** @type {number} */ x, /** @type {number} */ y) {
    const { tmux } = await this.now();
    const size = ['-x', String(x), '-y', String(y)];
    await this.baton.tmux(join(this.baton.home, 'tmux.sock'), 'resize-window', '-t', tmux.pane, ...size);
  }

  /** @param {string} what @param {() => any} look @param {(seen: any) => boolean} fits */
  until(what, look, fits = Boolean, patience = PATIENCE_MS) {
    return until(what, async () => look(), fits, patience);
  }

  sees(/** @type {RegExp} */ shown, id = this.agent.id) {
    return this.until(
      `${shown} on the screen`,
      () => this.screen(id),
      (screen) => shown.test(screen),
    );
  }

  /** Waits until Baton reports the agent as idle and the client's own status is not busy. */
  idle(id = this.agent.id) {
    return this.baton.agentWhen(id, (seen) => isIdle(seen) && this.status(seen) !== 'busy', PATIENCE_MS);
  }

  /** The status in the client's own status file. @param {any} agent */
  status(agent) {
    return this.watch.statusOf(this.watch.panes.get(agent.tmux?.pane)?.pid ?? 0);
  }

  async clientSays(/** @type {string} */ status, id = this.agent.id) {
    const agent = await this.now(id);
    // For a release of Claude Code without a status file, read the screen, which shows "esc to interrupt" during every
    // turn.
    if (this.watch.statuses.size === 0 && status === 'idle')
      return this.sees(/^(?![\s\S]*esc to interrupt)[\s\S]*❯/, id);
    await this.until(
      `the client's own word ${status}`,
      () => this.status(agent),
      (seen) => seen === status,
    );
  }

  /** Sends a message through Baton. If the verdict is not `accepted`, throws an error, which ends the situation. */
  async tell(/** @type {string} */ text) {
    const verdict = await this.send(text);
    if (verdict.verdict !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(verdict)}`);
  }

  async send(/** @type {string} */ text) {
    this.sent.push({ text, pane: (await this.now()).tmux.pane });
    const verdict = await this.baton.say(this.agent.id, text);
    this.watch.hear('agent send', verdict);
    return verdict;
  }

  /** Types a prompt as the operator. */
  async prompt(/** @type {string} */ text) {
    await this.type(text);
    await this.sees(new RegExp(`❯\\s*${escaped(text.slice(0, 12))}`));
    await sleep(200);
    await this.press('Enter');
  }

  /**
   * Types a slash command as the operator.
   * @param {string} text
   * @param {RegExp} shown
   */
  async command(text, shown) {
    await this.type(text);
    await sleep(600);
    await this.press('Enter');
    await this.sees(shown);
  }

  /** Runs a command of Baton like a person, and records its sentences. @param {string[]} argv */
  async shell(argv, timeout = 30_000) {
    const said = await this.baton.shell(argv, timeout);
    for (const line of linesOf(said.output)) this.watch.hear(`baton ${argv.slice(0, 2).join(' ')}`, line);
    return said;
  }

  /** Requests the handoff. @returns {Promise<number>} the run's number */
  async click(more = {}) {
    const asked = await this.baton.call('POST', `/api/agents/${this.agent.id}/handoff`, {
      reason: 'context_limit',
      ...more,
    });
    this.watch.hear('handoff', asked);
    if (asked.run_id === undefined) throw new Error(`the handoff was refused: ${JSON.stringify(asked)}`);
    return asked.run_id;
  }

  run(/** @type {number} */ id) {
    return this.baton.call('GET', `/api/runs/${id}`);
  }

  /** @param {number} id @param {(run: any) => boolean} fits */
  runWhen(id, fits, patience = PATIENCE_MS) {
    return this.until(`run ${id}`, () => this.run(id), fits, patience);
  }

  async choose(/** @type {number} */ id, /** @type {string} */ action) {
    const told = await this.baton.call('POST', `/api/runs/${id}/${action}`, {});
    this.watch.hear(`run ${action}`, told);
    return told;
  }

  /**
   * Expects Baton to say the given sentence within the given time. Button titles do not count.
   * @param {string} where
   * @param {RegExp} sentence
   */
  async says(where, sentence, patience = 12_000) {
    const at = new RegExp(`^${where}(?!.*actions)`);
    const found = () => this.watch.sentences(at).some((each) => sentence.test(each));
    const heardIt = await this.until('a sentence', found, Boolean, patience).catch(() => false);
    const told = this.watch.sentences(at).slice(-4).join(' / ');
    this.expect(heardIt, `${where} never says ${sentence}; it says: ${told || 'nothing'}`);
  }

  /**
   * Waits until the run is over. Expects that it completed with an acknowledgment, and that each of Baton's prompts was
   * typed once.
   */
  async completes(/** @type {number} */ id, purposes = ['instruction', 'injection'], patience = 75_000) {
    const run = await this.runWhen(id, ({ over }) => over, patience).catch(() => this.run(id));
    const end = `${run.step}: ${run.failure?.sentence ?? run.last_refusal ?? ''}`;
    if (!this.expect(run.step === 'completed', `the handoff did not complete; it is at ${end}`)) return run;
    this.expect(run.acknowledged, 'the successor did not acknowledge');
    this.typedOnce(...purposes);
    return run;
  }

  /**
   * Expects that each of the named prompts was submitted once and reached the model once, and that Baton sent no other
   * prompt.
   */
  typedOnce(/** @type {string[]} */ ...purposes) {
    const all = heard(/** @type {any} */ (this));
    const wanted = purposes.every((purpose) => all[purpose]?.model === 1 && all[purpose]?.submitted === 1);
    const right = wanted && Object.keys(all).length === purposes.length;
    this.expect(right, `typed: ${JSON.stringify(all)}, not each once of ${purposes}`);
  }

  nothingTyped() {
    const all = Object.keys(heard(/** @type {any} */ (this)));
    this.expect(all.length === 0, `typed meanwhile: ${all}`);
  }

  /** Expects that the operator's draft does not change for the given time. @param {number} ms */
  async draftStands(ms) {
    const before = composerIn(await this.screen());
    for (const end = Date.now() + ms; Date.now() < end; await sleep(300)) {
      const now = composerIn(await this.screen());
      if (now === before) continue;
      this.draftSpoiled++;
      this.wrong.push(`the draft ${JSON.stringify(before)} became ${JSON.stringify(now)}`);
      return;
    }
  }

  async clearComposer() {
    // Press the keys one at a time, because older releases of Claude Code treat keys that arrive together as a paste.
    // DC (Delete) joins the next line to the line with the cursor.
    const keys = ['C-e', 'C-u', 'BSpace', 'DC'];
    for (let times = 0; times < 8 * keys.length; times++) {
      // Stop at once when the composer is empty, because Baton may paste from then on.
      if (composerIn(await this.screen()) === '') return;
      await this.press(keys[times % keys.length] ?? '');
      await sleep(100);
    }
  }

  /** @returns {import('./judge/judge.mjs').Submission[]} */
  submissions() {
    const path = join(this.baton.user, 'noted.jsonl');
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
    return lines
      .map((line) => JSON.parse(line))
      .map(({ at, hook }) => ({ at, prompt: hook.prompt, session: hook.session_id }));
  }

  /** Returns everything that went wrong in the situation, and every sentence that Baton said. */
  async verdict() {
    await this.watch.stop();
    const submissions = this.submissions();
    const ofBaton = submissions.map(({ prompt }) => prompt).filter((prompt) => /\[baton:\S+\]/.test(prompt));
    const known = [...new Set([...ofBaton, '❯/exit'])].map((text) => ({ text }));
    const shown = shownIn(this.watch.panes, [...known, ...this.sent]);
    const statuses = this.watch.statuses.size > 0 ? this.watch.statuses : this.#statusesByRequests();
    const typed = typedWhileWorking({ panes: this.watch.panes, statuses }, shown, submissions, ofBaton);
    const { never = [], maySay = [] } = this.situation;
    const usual = Object.entries(UNTRUE)
      .filter(([name]) => !maySay.includes(name))
      .map(([, untrue]) => untrue);
    const said = [...this.watch.said.values()];
    const untrue = said.filter(({ sentence }) => [...never, ...usual].some((each) => each.test(sentence)));
    return {
      wrong: [
        ...this.wrong,
        ...typed.map(({ text, pane }) => `typed into ${pane} while it worked: ${text.slice(0, 60)}`),
        ...untrue.map(({ where, sentence }) => `untrue in ${where}: ${sentence}`),
        ...this.watch.calledIdle.map((sentence) => `untrue: ${sentence}`),
      ],
      typedWhileWorking: typed.length,
      draftSpoiled: this.draftSpoiled,
      untrue: untrue.length + this.watch.calledIdle.length,
      said,
    };
  }

  /** Derives the status of a client without a status file: the client counts as busy while a request is open. */
  #statusesByRequests() {
    /** @type {import('./watch.mjs').Watch['statuses']} */
    const all = new Map();
    for (const [pane, session] of this.watch.sessions) {
      all.set(this.watch.panes.get(pane)?.pid ?? 0, statusesOf(this.model.turnsOf(session)));
    }
    return all;
  }

  async close() {
    await this.watch?.stop();
    await this.baton?.cleanUp();
    await this.model?.close();
  }
}
