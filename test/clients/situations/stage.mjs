// One situation with a real client: its own Baton, client and stub model, the operator's keys, and a watcher that compares
// Baton's words with the requests at the model.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../baton-with-client.mjs';
import { isExact } from '../describe/client.mjs';
import { expect, isIdle, openScene } from '../handoff-scene.mjs';

/** @typedef {{ name: string, about: string, byPane?: boolean, setting?: import('../handoff-scene.mjs').Setting & { env?: Record<string, string> }, play: (stage: Stage) => Promise<unknown> }} Situation */
/** @typedef {import('../handoff-scene.mjs').Scene} Scene */

/**
 * How long Baton is allowed to call a working agent idle. On a busy machine, Baton needs this time to notice the work.
 */
const CALLED_IDLE_FOR_MS = 5_000;
const PATIENCE_MS = 60_000;

export class Stage {
  /** @type {{ text: string, verdict: string }[]} */
  sent = [];
  /** @type {string[]} */
  wrong = [];
  calledIdle = 0;
  draftSpoiled = 0;
  #isOver = false;

  /** @param {Situation} situation @param {{ client: import('../describe/client.mjs').ClientDescription, program: string, version: string, log?: string }} options */
  static async open(situation, options) {
    const env = situation.byPane ? (options.client.ways?.pane ?? {}) : {};
    return new Stage(await openScene({ ...options, env, ...situation.setting }));
  }

  constructor(/** @type {Scene} */ scene) {
    this.scene = scene;
    this.baton = scene.baton;
    this.model = scene.model;
    this.client = scene.client;
    this.id = scene.agent.id;
    this.#watching = this.#watch();
  }

  #watching;

  /** Watches whether Baton calls the agent idle while the model still answers a request of the agent's conversation. */
  async #watch() {
    let since = 0;
    while (!this.#isOver) {
      const open = this.model.requests.find(
        ({ endedAt, tools, failed }) => endedAt === null && tools.length > 0 && !failed,
      );
      const agent = open === undefined ? undefined : await this.baton.agent(this.id).catch(() => undefined);
      const isWrong = agent?.state === 'idle' && Date.now() - (open?.at ?? Date.now()) > CALLED_IDLE_FOR_MS;
      since = isWrong ? since || Date.now() : 0;
      if (isWrong && Date.now() - since > CALLED_IDLE_FOR_MS) {
        this.calledIdle++;
        this.wrong.push(`it was called idle (${agent.state_reason}) while the model was answering it`);
        return;
      }
      await sleep(300);
    }
  }

  now = () => this.baton.agent(this.id);
  screen = async () => this.baton.screen(await this.now());
  type = async (/** @type {string} */ text) => this.baton.type(await this.now(), text);
  press = async (/** @type {string[]} */ ...keys) => this.baton.press(await this.now(), ...keys);
  idle = (patience = PATIENCE_MS) => this.baton.agentWhen(this.id, isIdle, patience);
  works = () => this.baton.agentWhen(this.id, ({ state }) => state === 'working', PATIENCE_MS);
  state = (/** @type {RegExp} */ wanted, patience = PATIENCE_MS) =>
    this.baton.agentWhen(this.id, ({ state, state_reason: why }) => wanted.test(`${state}: ${why}`), patience);
  sees = (/** @type {RegExp} */ shown) =>
    until(String(shown), this.screen, (screen) => shown.test(screen), PATIENCE_MS);

  async resize(/** @type {number} */ x, /** @type {number} */ y) {
    const { tmux } = await this.now();
    const socket = join(this.baton.home, 'tmux.sock');
    await this.baton.tmux(socket, 'resize-window', '-t', tmux.pane, '-x', String(x), '-y', String(y));
    await sleep(1_000);
  }

  /** Sends a message and records Baton's verdict on the message. */
  async send(/** @type {string} */ text) {
    const verdict = await this.baton.say(this.id, text);
    this.sent.push({ text, verdict: verdict.verdict });
    return verdict;
  }

  /** Sends a message that must arrive. */
  async arrives(/** @type {string} */ text) {
    const verdict = await this.send(text);
    expect(verdict.verdict === 'accepted', `not accepted: ${JSON.stringify(verdict)}`);
    await until(
      'the message at the model',
      async () => this.copies(text),
      (count) => count > 0,
      PATIENCE_MS,
    );
    await sleep(500);
    await this.idle();
  }

  /** Sends a message that must be refused for the given reason. */
  async refused(/** @type {string} */ reason) {
    const verdict = await this.send(`never to be heard ${this.sent.length}`);
    expect(
      verdict.verdict === 'refused' && verdict.reason === reason,
      `not refused as ${reason}: ${JSON.stringify(verdict)}`,
    );
  }

  /** Types a prompt as the operator. */
  async prompt(/** @type {string} */ text, key = 'Enter') {
    const draft = this.client.shows.draft(text.slice(0, 12));
    await this.type(text);
    await this.sees(draft);
    // Press the key up to three times, because a busy client may treat an Enter right after text as a part of the text.
    for (let times = 0; times < 3; times++) {
      await sleep(700);
      if (!draft.test(await this.screen())) return;
      await this.press(key);
      await sleep(1_000);
      if (key !== 'Enter') return;
    }
  }

  /**
   * Returns how often the model got the given text. Refused requests are not counted. If all requests with the text
   * were refused, returns 1: the refused requests are repetitions of one prompt.
   */
  copies(/** @type {string} */ text) {
    const isIt = (/** @type {import('../model/stub-model.mjs').Asked} */ { prompt, tools, toolResult }) =>
      tools.length > 0 && toolResult === null && isExact(this.client, prompt, text);
    const got = this.model.requests.filter(isIt);
    return got.filter(({ failed }) => !failed).length || Math.min(1, got.length);
  }

  /** Ends the situation and returns everything that went wrong. */
  async verdict() {
    this.#isOver = true;
    await this.#watching;
    for (const { text, verdict } of this.sent) {
      const count = this.copies(text);
      const isRight = verdict === 'accepted' ? count === 1 : verdict === 'refused' ? count === 0 : count <= 1;
      if (!isRight) this.wrong.push(`${verdict}, but ${count} times at the model: ${text.slice(0, 60)}`);
    }
    const steered =
      this.client.steered?.(
        this.baton.user,
        this.sent.map(({ text }) => text),
      ) ?? [];
    for (const text of steered) this.wrong.push(`typed into a running turn: ${text.slice(0, 60)}`);
    return {
      wrong: this.wrong,
      typedWhileWorking: steered.length,
      untrue: this.calledIdle,
      draftSpoiled: this.draftSpoiled,
    };
  }

  async close() {
    this.#isOver = true;
    await this.baton.cleanUp();
    await this.model.close();
  }
}
