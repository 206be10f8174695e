// Situations in which the API fails. Each situation plays one kind of failure that real clients have met. A client that
// retries counts as working, whatever its screen shows.

import { setTimeout as sleep } from 'node:timers/promises';
import { isInjection, isInstruction } from '../handoff-scene.mjs';

/** @typedef {import('./stage.mjs').Situation} Situation */
/** @typedef {import('./stage.mjs').Stage} Stage */

/**
 * The number of requests that fail. The client waits about 0.6, 1.2, 2.4 and 4.8 s before its retries. During these
 * waits the operator requests the handoff.
 */
const TRIES = 4;
const failedWith = (/** @type {Stage} */ { model }, /** @type {string} */ mark) =>
  model.requests.filter(({ failed, prompt }) => failed && prompt.includes(mark)).length;

/**
 * The operator requests a handoff while the client retries. Baton must send the instruction only after the end of the
 * turn.
 * @param {string} kind
 * @returns {Situation}
 */
const clickInRetry = (kind) => ({
  name: `retry_${kind}`,
  finding: 'L1',
  about: 'a click while the client retries an API call waits, says so, and then completes with one instruction',
  never: [/never got it/, /perhaps/, /document does not exist/],
  play: async (stage) => {
    await stage.tell(`Look at this. ⟦error ${kind} ${TRIES}⟧`);
    await stage.until(
      'a failed call',
      () => failedWith(stage, 'Look at this'),
      (count) => count >= 1,
    );
    const id = await stage.click();
    await stage.until(
      'the last failed call',
      () => failedWith(stage, 'Look at this'),
      (count) => count === TRIES,
    );
    const run = await stage.run(id);
    stage.expect(run.step === 'waiting_safe_point', `while the client retried, the run went to ${run.step}`);
    stage.nothingTyped();
    await stage.says('handoff show', /retr|working|API/i, 2_000);
    await stage.completes(id);
  },
});

/** @param {string} kind @param {RegExp} cause @param {object} [more] @returns {Situation} */
const documentTurnFails = (kind, cause, more = {}) => ({
  name: `document_${kind}`,
  about: `the document turn fails (${kind}): the run halts with the API's own reason, and asking again completes it`,
  never: [/document does not exist/],
  play: async (stage) => {
    const { model } = stage;
    const first = (/** @type {any} */ asked) => isInstruction(asked) && !/-instruction-2\]/.test(asked.prompt);
    model.fail(kind, first, 30);
    const id = await stage.click();
    const run = await stage.runWhen(id, ({ over }) => over);
    stage.expect(run.step === 'failed', `the run is ${run.step}`);
    stage.expect(cause.test(run.failure?.sentence), `the run says ${run.failure?.sentence}, not ${cause}`);
    await stage.says('inbox list', cause);
    model.recover();
    await stage.choose(id, 'instruct_again');
    await stage.runWhen(id, ({ step }) => step !== 'failed');
    await stage.completes(id, ['instruction', 'instruction-2', 'injection-2']);
  },
  ...more,
});

/** @param {string} kind @param {RegExp} cause @returns {Situation} */
const successorFails = (kind, cause) => ({
  name: `successor_${kind}`,
  finding: 'L8',
  about: `the successor's first request fails (${kind}): the inbox says so at once, and a repetition is offered that completes`,
  play: async (stage) => {
    const { model } = stage;
    model.fail(kind, isInjection, 30);
    const id = await stage.click();
    // The run may already be over, because the turn may fail before the test reads the run again.
    const { successor_agent_id: successor } = await stage.runWhen(
      id,
      ({ step, over }) => step === 'awaiting_acknowledgement' || over,
    );
    await stage.until(
      'the failed turn',
      () => stage.screen(successor),
      (screen) => /API Error|Credit|Overloaded/.test(screen),
    );
    await stage.says('inbox list', cause, 15_000);
    await stage.says('handoff show', cause, 2_000);
    model.recover();
    const { actions } = await stage.run(id);
    const again = actions
      .map((/** @type {any} */ { action }) => action)
      .find((/** @type {string} */ name) => /again|retry|resume|resend/.test(name));
    if (
      !stage.expect(
        again !== undefined,
        `nothing repeats it: ${actions.map((/** @type {any} */ { action }) => action)}`,
      )
    )
      return;
    await stage.choose(id, again);
    const run = await stage.runWhen(id, ({ over, acknowledged }) => over && acknowledged).catch(() => stage.run(id));
    stage.expect(run.step === 'completed' && run.acknowledged, `after ${again} the run is at ${run.step}`);
  },
});

/** @type {Situation[]} */
export const API = [
  ...['dropped', 'server_error', 'unauthorized', 'rate_limit'].map(clickInRetry),
  {
    name: 'send_in_retry',
    finding: 'L1',
    about: 'a message sent while the client retries is refused as busy and never typed',
    play: async (stage) => {
      await stage.tell(`Look at this. ⟦error dropped ${TRIES}⟧`);
      await stage.until(
        'two failed calls',
        () => failedWith(stage, 'Look at this'),
        (count) => count >= 2,
      );
      const verdict = await stage.send('never-to-be-queued');
      stage.expect(verdict.verdict === 'refused' && verdict.reason === 'busy', JSON.stringify(verdict));
      await stage.clientSays('idle');
      await sleep(1_000);
      const heard = stage.model.requests.some(({ texts }) => texts.join().includes('never-to-be-queued'));
      stage.expect(!heard, 'the refused message reached the model');
    },
  },
  {
    name: 'slow_first_word',
    about: 'a click while the API takes its time before the first word waits for the end of the turn',
    play: async (stage) => {
      await stage.tell('Think about it. ⟦silent 10⟧');
      const id = await stage.click();
      await sleep(6_000);
      const run = await stage.run(id);
      stage.expect(run.step === 'waiting_safe_point', `while it thought, the run went to ${run.step}`);
      stage.nothingTyped();
      await stage.completes(id);
    },
  },
  documentTurnFails('overloaded', /529|overloaded/i),
  documentTurnFails('billing', /credit balance/i),
  documentTurnFails('forbidden', /403|access/i),
  documentTurnFails('usage_limit', /usage limit|429/i),
  {
    name: 'document_cut',
    about:
      'the connection breaks in the middle of the document turn: the client asks again by itself, and the handoff completes',
    play: async (stage) => {
      stage.model.fail('cut', isInstruction, 1);
      await stage.completes(await stage.click());
    },
  },
  {
    name: 'document_unauthorized_for_a_while',
    about:
      'a 401 in the document turn that the client retries: the agent is never called idle, and the handoff completes',
    play: async (stage) => {
      stage.model.fail('unauthorized', isInstruction, TRIES);
      await stage.completes(await stage.click());
    },
  },
  successorFails('bad_request', /400|stub was told to fail/),
  successorFails('overloaded', /529|overloaded/i),
  {
    name: 'successor_unauthorized_for_a_while',
    about: "a 401 in the successor's first turn that the client retries: nothing is typed twice, and it acknowledges",
    play: async (stage) => {
      stage.model.fail('unauthorized', isInjection, TRIES);
      await stage.completes(await stage.click());
    },
  },
  {
    name: 'subscriber_usage_limit',
    finding: '4.1',
    about:
      'a subscriber at the usage limit: agent and inbox say the limit, and a handoff is refused by that name and names the emergency handoff',
    setting: {
      env: { ANTHROPIC_API_KEY: null, CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-fake-made-up-token-000000000000' },
    },
    never: [/document does not exist/],
    play: async (stage) => {
      stage.model.fail('usage_limit', ({ body }) => (body.tools ?? []).length > 0, 50);
      await stage.prompt('Go on with the parser.');
      await stage.sees(/Continuing automatically|Usage limit reached/);
      await stage.says('agent show', /limit/i);
      await stage.says('inbox list', /limit/i);
      const refused = await stage.baton.call('POST', `/api/agents/${stage.agent.id}/handoff`, {});
      stage.expect(refused.code === 'agent_limited', `a handoff was not refused: ${JSON.stringify(refused)}`);
      stage.expect(/5-hour limit/.test(refused.error), `it does not name the limit: ${refused.error}`);
      stage.expect(/--emergency/.test(refused.hint), `it names no way on: ${refused.hint}`);
    },
  },
];
