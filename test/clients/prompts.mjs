// npm run e2e:clients -- CLIENT: checks Baton's promises about a single agent with a real client. test/clients/describe
// describes the clients. The evidence is the requests that reach the model, never the screen.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './baton-with-client.mjs';
import { cannotOf } from './cannot.mjs';
import { isExact } from './describe/client.mjs';
import { expect, isIdle, openScene, sessionOf, tell, untilReady, WORD } from './handoff-scene.mjs';
import { checkTokens } from './tokens.mjs';

/** @typedef {import('./handoff-scene.mjs').Scene} Scene */

const PROMPTS = 20;

/**
 * @param {{ client: import('./describe/client.mjs').ClientDescription, program: string, version: string, log?: string, only?: string,
 *   say: (line: string) => void }} options
 */
export async function checkPrompts({ client, program, version, log, only, say }) {
  const cannot = cannotOf(client, version);
  const chosen = only?.split(',') ?? Object.keys(CHECKS);
  /** @type {Record<string, boolean>} */
  const checks = {};
  let exact = 0;
  const scene = await openScene({ client, program, version, ...(log ? { log } : {}) });
  try {
    for (const name of chosen.filter((each) => cannot[each] === undefined)) {
      const check = CHECKS[name];
      if (check === undefined) throw new Error(`No such check: ${name}. There are: ${Object.keys(CHECKS)}`);
      const began = performance.now();
      try {
        const result = await check(scene);
        if (name === 'prompts_exact') exact = Number(result);
        checks[name] = name !== 'prompts_exact' || result === PROMPTS;
        say(
          `${checks[name] ? 'ok    ' : 'FAILED'}  ${name}  ${Math.round(performance.now() - began)} ms  ${result ?? ''}`,
        );
      } catch (error) {
        checks[name] = false;
        say(`FAILED  ${name}  ${error instanceof Error ? error.message : error}`);
        const seen = await scene.baton.agent(scene.agent.id);
        say((await scene.baton.screen(seen)).replace(/^\s*\n/gm, '').replace(/^/gm, '        | '));
        await settle(scene).catch(() => undefined);
      }
    }
  } finally {
    await scene.baton.cleanUp();
    await scene.model.close();
  }
  const unsupported = chosen.filter((name) => cannot[name] !== undefined);
  for (const name of unsupported) say(`cannot  ${name}  ${cannot[name]}`);
  return {
    runtime: client.id,
    version,
    prompts: PROMPTS,
    prompts_exact: exact,
    checks,
    unsupported: unsupported.map((name) => `${name}: ${cannot[name]}`),
    passed: Object.values(checks).every(Boolean),
  };
}

/** Cleans up after a failed check: interrupts the agent, empties the composer and waits until the agent is idle. */
async function settle(/** @type {Scene} */ { client, baton, agent }) {
  const now = await baton.agent(agent.id);
  await baton.press(now, ...client.keys.interrupt);
  await sleep(500);
  await baton.press(now, ...client.keys.clear);
  await baton.agentWhen(agent.id, isIdle, 12_000);
}

const asked = (/** @type {Scene} */ { model }, /** @type {string} */ mark) =>
  model.requests.filter(
    ({ tools, prompt, toolResult }) => tools.length > 0 && toolResult === null && prompt.includes(mark),
  );

const reached = (/** @type {Scene} */ scene, /** @type {string} */ mark, count = 1) =>
  until(
    `${mark} at the model`,
    async () => asked(scene, mark).length,
    (seen) => seen === count,
  );

const turns = async (/** @type {Scene} */ { baton, model, agent }) => model.turnsOf(await sessionOf(baton, agent.id));

const works = (/** @type {Scene} */ { baton, agent }) => baton.agentWhen(agent.id, ({ state }) => state === 'working');
const rests = (/** @type {Scene} */ { baton, agent }, patience = 60_000) => baton.agentWhen(agent.id, isIdle, patience);

const sees = (/** @type {Scene} */ { baton }, /** @type {any} */ agent, /** @type {RegExp} */ shown) =>
  until(
    String(shown),
    () => baton.screen(agent),
    (screen) => shown.test(screen),
  );

const skillOf = (/** @type {Scene} */ { baton, persona }) =>
  readFileSync(join(baton.home, 'data/personas', persona.slug, 'skill.md'), 'utf8').trim();
const holds = (/** @type {any} */ request, /** @type {string} */ text) =>
  request?.conversation.includes(JSON.stringify(text).slice(1, -1));

/** Checks that a message still arrives, and that Baton notices when the turn of the message begins and ends. */
async function goesOn(/** @type {Scene} */ scene, /** @type {string} */ mark) {
  await tell(scene, `Go on ${mark}. ⟦slow 2⟧`);
  await works(scene);
  await reached(scene, `Go on ${mark}.`);
  const seen = await rests(scene);
  expect(/finished its turn|reports that it is idle/.test(seen.state_reason), seen.state_reason);
  return asked(scene, `Go on ${mark}.`)[0];
}

/** Types a command of the client, such as /clear, as the operator. */
async function command(/** @type {Scene} */ scene, /** @type {string} */ text, /** @type {RegExp} */ shown) {
  // A client refuses its commands while a turn runs. Wait, because the hooks may report a turn a moment late, and the
  // agent looks idle until then.
  await sleep(1_500);
  const seen = await rests(scene);
  await scene.baton.type(seen, text);
  await sleep(700);
  await scene.baton.press(seen, 'Enter');
  await sees(scene, seen, shown);
}

/** @type {Record<string, (scene: Scene) => Promise<unknown>>} */
const CHECKS = {
  skill_heard: async (scene) => {
    const [first] = await turns(scene);
    expect(first !== undefined, 'the model was not asked');
    expect(holds(first, skillOf(scene)), `the skill is not in: ${first?.conversation.slice(-400)}`);
    const seen = await scene.baton.agent(scene.agent.id);
    expect(seen.skill_injected_at !== null, 'Baton does not know that the skill was heard');
    return first?.prompt.includes('--- skill ---') ? 'typed' : 'given at the start of the session';
  },

  prompts_exact: async (scene) => {
    let exact = 0;
    for (let number = 1; number <= PROMPTS; number++) {
      const text = longPrompt(number);
      const before = (await turns(scene)).length;
      await tell(scene, text);
      await until(
        'the prompt',
        async () => (await turns(scene)).length,
        (count) => count > before,
      );
      const heard = (await turns(scene)).slice(before);
      if (heard.length === 1 && isExact(scene.client, heard[0]?.prompt ?? '', text)) exact++;
      await rests(scene);
    }
    return exact;
  },

  context_percent: async (scene) => {
    await tell(scene, 'Count with me. ⟦usage 84000⟧');
    const seen = await scene.baton.agentWhen(scene.agent.id, ({ context }) => context?.used_tokens >= 84_000);
    const { used_percent: percent, used_tokens: used, window_tokens: window } = seen.context;
    const expected = scene.client.percentOf(used, window);
    await rests(scene);
    await tell(scene, 'Back again. ⟦usage 1500⟧');
    await rests(scene);
    expect(percent === expected, `${percent} % of ${window}, not ${expected} %`);
    return `${used} tokens are ${percent} % of ${window}`;
  },

  tokens: async (scene) => checkTokens(scene.baton, scene.agent.id, await turns(scene)),

  interrupt: async (scene) => {
    const { baton, agent, client } = scene;
    await tell(scene, 'Take your time. ⟦slow 30⟧');
    await works(scene);
    await sleep(1_500);
    const working = await baton.agent(agent.id);
    expect(working.state === 'working', `while it works it is ${working.state}`);
    await baton.press(working, ...client.keys.interrupt);
    const pressed = performance.now();
    const seen = await rests(scene, 12_000);
    const ms = Math.round(performance.now() - pressed);
    await goesOn(scene, 'after the interruption');
    return `${seen.state_reason}, seen ${ms} ms after the key`;
  },

  interrupt_by_baton: async (scene) => {
    const { baton, agent } = scene;
    await tell(scene, 'Take your time again. ⟦slow 30⟧');
    await works(scene);
    await sleep(1_500);
    const { output, code } = await baton.shell(['agent', 'interrupt', String(agent.id)]);
    expect(code === 0, output);
    const seen = await rests(scene, 12_000);
    return seen.state_reason;
  },

  api_error: async (scene) => {
    await tell(scene, 'This will not end well. ⟦fail 400⟧');
    const seen = await scene.baton.agentWhen(scene.agent.id, ({ state_reason: why }) => /turn failed/.test(why));
    expect(isIdle(seen), seen.state);
    await goesOn(scene, 'after the error');
    return seen.state_reason;
  },

  api_retry: async (scene) => {
    await tell(scene, 'This ends well at the third attempt. ⟦error server_error 2⟧');
    const end = Date.now() + 60_000;
    while (asked(scene, 'at the third attempt').length < 3 && Date.now() < end) {
      const { state } = await scene.baton.agent(scene.agent.id);
      expect(state === 'working', `while its client tries again it is ${state}`);
      await sleep(100);
    }
    const seen = await rests(scene);
    expect(!/failed/.test(seen.state_reason), seen.state_reason);
    return `${asked(scene, 'at the third attempt').length} attempts, then: ${seen.state_reason}`;
  },

  busy_is_refused: async (scene) => {
    await tell(scene, 'Talk for a while. ⟦slow 6⟧');
    await works(scene);
    await sleep(500);
    const verdict = await scene.baton.say(scene.agent.id, 'never-to-be-heard');
    expect(verdict.verdict === 'refused' && verdict.reason === 'busy', JSON.stringify(verdict));
    await rests(scene);
    expect(asked(scene, 'never-to-be-heard').length === 0, 'the refused text reached the model');
  },

  queued_prompt: async (scene) => {
    const { baton } = scene;
    await tell(scene, 'First of two. ⟦slow 3⟧');
    const working = await works(scene);
    await sleep(500);
    await baton.type(working, 'queued by hand ⟦slow 8⟧');
    // Wait until the client has drawn the text, because an Enter before that moment would submit nothing.
    await sees(scene, working, /queued by hand ⟦slow 8⟧/);
    await baton.press(working, 'Enter');
    await reached(scene, 'queued by hand');
    await sleep(1_500);
    const seen = await baton.agent(scene.agent.id);
    const refused = await baton.say(scene.agent.id, 'never-to-be-heard either');
    await rests(scene);
    expect(refused.verdict === 'refused' && refused.reason === 'busy', JSON.stringify(refused));
    expect(seen.state === 'working', `while the queued prompt runs it is ${seen.state} (${seen.state_reason})`);
    expect(asked(scene, 'never-to-be-heard').length === 0, 'the refused text reached the model');
  },

  dialog: async (scene) => {
    const { baton, agent, client } = scene;
    const made = join(baton.project, 'made-by-agent');
    await tell(scene, `Make a file. ⟦ask touch ${made}⟧`);
    const waiting = await baton.agentWhen(agent.id, ({ state }) => state === 'awaiting_input');
    await sees(scene, waiting, client.shows.dialog);
    const verdict = await baton.say(agent.id, 'typed into a dialog');
    expect(verdict.verdict === 'refused' && verdict.reason === 'dialog', JSON.stringify(verdict));
    expect(client.shows.dialog.test(await baton.screen(waiting)), 'the dialog is gone');
    await sleep(1_000);
    await baton.press(waiting, ...client.keys.allow);
    await rests(scene);
    expect(existsSync(made), 'the command did not run');
    expect(asked(scene, 'typed into a dialog').length === 0, 'the text reached the model');
    return waiting.state_reason;
  },

  answer_by_baton: async (scene) => {
    const { baton, agent } = scene;
    const made = join(baton.project, 'allowed-by-answer');
    await tell(scene, `Make another. ⟦ask touch ${made}⟧`);
    const { question } = await baton.agentWhen(agent.id, ({ question: open }) => open?.options.length > 0);
    expect(question.text.includes(made), JSON.stringify(question));
    const told = await baton.call('POST', `/api/agents/${agent.id}/answer`, { question: question.id, choice: 1 });
    expect(told.verdict === 'accepted', JSON.stringify(told));
    await rests(scene);
    expect(existsSync(made), 'the permission did not arrive');
    const { events } = await baton.call('GET', '/api/events?after=0&limit=1000');
    const given = events.findLast((/** @type {any} */ { type }) => type === 'answer_given');
    const way = given?.data.outcome.by ?? 'key';
    expect(scene.client.ways?.api === undefined || way === 'api', `the answer went by ${way}`);
    return `by ${way}: ${question.options.map((/** @type {any} */ { label }) => label).join(' | ')}`;
  },

  draft: async (scene) => {
    const { baton, agent, client } = scene;
    const seen = await baton.agent(agent.id);
    const draft = client.shows.draft('half a thought of the operator');
    await baton.type(seen, 'half a thought of the operator');
    await sees(scene, seen, draft);
    const verdict = await baton.say(agent.id, 'beside a draft');
    const isApi = verdict.verdict === 'accepted';
    expect(isApi || (verdict.verdict === 'refused' && verdict.reason === 'draft'), JSON.stringify(verdict));
    if (isApi) await rests(scene);
    expect(draft.test(await baton.screen(seen)), 'the draft is gone');
    await baton.press(seen, ...client.keys.clear);
    await sees(scene, seen, client.shows.empty);
    await tell(scene, 'and now it goes');
    await reached(scene, 'and now it goes');
    await rests(scene);
    expect(asked(scene, 'half a thought').length === 0, 'the draft was sent');
    expect(asked(scene, 'beside a draft').length === (isApi ? 1 : 0), 'the verdict was wrong');
    return isApi ? 'delivered past the draft' : verdict.sentence;
  },

  compact: async (scene) => {
    const { commands, shows } = scene.client;
    await command(scene, commands.compact ?? '', shows.compacted ?? /$^/);
    await rests(scene);
    const heard = await goesOn(scene, 'after the compaction');
    return holds(heard, skillOf(scene)) ? 'the skill is still heard' : 'without the skill';
  },

  compaction_point: async (scene) => {
    const { below, above } = /** @type {{ below: number, above: number }} */ (scene.client.compaction);
    const compactions = async () => {
      const { events } = await scene.baton.call('GET', '/api/events?after=0&limit=1000');
      return events.filter((/** @type {any} */ { type }) => type === 'compaction_started').length;
    };
    const before = await compactions();
    await tell(scene, `Almost full. ⟦used ${below}⟧`);
    await rests(scene);
    await tell(scene, 'One more below the point.');
    await rests(scene);
    expect((await compactions()) === before, `it compacted after ${below} tokens`);
    await tell(scene, `Full. ⟦used ${above}⟧`);
    const { context } = await scene.baton.agentWhen(scene.agent.id, ({ context: now }) => now?.used_tokens >= above);
    expect(context.used_percent === 100, `${above} tokens are called ${context.used_percent} %`);
    await rests(scene);
    await tell(scene, 'One more above the point.');
    await until('the compaction', compactions, (count) => count === before + 1);
    await rests(scene);
    return `compacts between ${below} and ${above} of ${context.window_tokens} tokens`;
  },

  clear: async (scene) => {
    const { commands, shows } = scene.client;
    const before = await sessionOf(scene.baton, scene.agent.id);
    await command(scene, commands.clear ?? '', shows.cleared ?? /$^/);
    await sleep(1_500);
    await rests(scene);
    const heard = await goesOn(scene, 'after the clearing');
    expect(!holds(heard, WORD), 'the conversation was not cleared');
    expect(holds(heard, skillOf(scene)), 'the new session has no skill');
    const after = await sessionOf(scene.baton, scene.agent.id);
    expect(after !== before, 'Baton does not know the new session');
  },

  limit: async (scene) => {
    await tell(scene, 'You have had enough. ⟦error usage_limit 1⟧');
    const seen = await scene.baton.agentWhen(
      scene.agent.id,
      ({ state, state_reason: why }) => state === 'limited' || /limit/i.test(why),
    );
    return `${seen.state}: ${seen.state_reason}`;
  },

  after_limit: async (scene) => {
    // Wait until the agent stops working, because some clients repeat the refused request by themselves.
    await scene.baton.agentWhen(scene.agent.id, ({ state }) => state !== 'working');
    await tell(scene, 'And again. ⟦slow 1⟧');
    await reached(scene, 'And again.');
    const seen = await rests(scene);
    return seen.state_reason;
  },

  package_tools: async (scene) => {
    const [first] = await turns(scene);
    const tools = (first?.tools ?? []).filter((/** @type {string} */ name) =>
      /handoff_(receive|ack|return)/.test(name),
    );
    expect(tools.length === 3, `the model has: ${first?.tools}`);
    return tools.join(', ');
  },

  adopt: async (scene) => {
    const { baton, model, persona, client, program } = scene;
    const own = /** @type {NonNullable<typeof client.ownSession>} */ (client.ownSession);
    const screen = () => baton.ownTmux('capture-pane', '-p', '-t', 'adopt');
    const press = async (/** @type {string[]} */ ...keys) => {
      for (const key of keys) {
        await sleep(700);
        await baton.ownTmux('send-keys', '-t', 'adopt', key);
      }
    };
    await baton.cli('hooks', 'install');
    const size = ['-x', '150', '-y', '45', '-c', baton.project];
    await baton.ownTmux('new-session', '-d', '-s', 'adopt', ...size, '/bin/sh', '-i');
    await baton.ownTmux('send-keys', '-l', '-t', 'adopt', '--', own.command(program));
    await press('Enter');
    // Also accept the question whether the operator trusts the folder of the project, because older versions of the
    // client ask it first.
    const first = await until(
      'the review of the hooks',
      screen,
      (text) => own.review.test(text) || own.trust?.test(text) === true,
    );
    if (!own.review.test(first)) await press('Enter');
    await until('the review of the hooks', screen, (text) => own.review.test(text));
    await press(...own.keys);
    await until('the composer', screen, (text) => client.shows.empty.test(text) && !own.review.test(text));
    await sleep(1_500);
    await baton.ownTmux('send-keys', '-l', '-t', 'adopt', '--', 'Before the adoption.');
    await press('Enter');
    await reached(scene, 'Before the adoption.');
    const [seen] = await until(
      'the candidate',
      async () => (await baton.call('GET', '/api/candidates')).candidates,
      (all) => all.length > 0,
    );
    const { id, error } = await baton.cli('agent', 'adopt', seen.session_id, '--persona', persona.slug, '--yes');
    expect(error === undefined, String(error));
    await baton.agentWhen(id, (now) => isIdle(now) && now.skill_injected_at !== null);
    const adopted = { ...scene, agent: { id } };
    await tell(adopted, 'After the adoption.');
    await reached(adopted, 'After the adoption.');
    await rests(adopted);
    const [heard] = asked(scene, 'After the adoption.');
    expect(holds(heard, 'Before the adoption.') && holds(heard, skillOf(scene)), 'the message went to another session');
    expect(model.turnsOf(seen.session_id).includes(heard), 'it is another session');
    const { run_id: runId } = await baton.call('POST', `/api/agents/${id}/handoff`, { reason: 'shift_end' });
    const answered = new Set();
    const run = await until(
      'the end of the handoff',
      async () => {
        // Answer the client's question for permission, if it asks: the operator started the client without access to
        // the folder of the handoffs.
        const { question } = await baton.agent(id);
        if (question?.options.length > 0 && !answered.has(question.id)) {
          answered.add(question.id);
          await baton.call('POST', `/api/agents/${id}/answer`, { question: question.id, choice: 1 });
        }
        return baton.call('GET', `/api/runs/${runId}`);
      },
      ({ over }) => over,
      90_000,
    );
    expect(run.step === 'completed' && run.acknowledged, `${run.step}: ${run.failure?.sentence}`);
    await baton.cli('hooks', 'uninstall');
    return `handed over to agent ${run.successor_agent_id}`;
  },

  exit: async ({ baton, agent }) => {
    await baton.call('POST', `/api/agents/${agent.id}/stop`, {});
    const seen = await baton.agentWhen(agent.id, ({ state }) => state === 'ended');
    return seen.state_reason;
  },

  resume: async (scene) => {
    const { baton, agent } = scene;
    const session = await sessionOf(baton, agent.id);
    const back = await baton.call('POST', `/api/agents/${agent.id}/resume`, {});
    expect(back.id !== undefined, JSON.stringify(back));
    await untilReady(scene, back.id);
    scene.agent = back;
    await tell(scene, 'Where were we?');
    await reached(scene, 'Where were we?');
    const [heard] = asked(scene, 'Where were we?');
    const before = ['And again.', 'Go on after', WORD];
    expect(
      before.some((text) => holds(heard, text)),
      'the conversation was not resumed',
    );
    await rests(scene);
    return `${session} again: ${(await sessionOf(baton, back.id)) === session}`;
  },
};

/** Returns a prompt of about 3 KB in 40 lines, with every character that a terminal or composer might misinterpret. */
export function longPrompt(/** @type {number} */ number) {
  const odd = [
    '/exit is only a word here',
    '# not a heading',
    '! not a shell',
    '@src/nowhere.ts',
    '\ttab at the start',
    'it\'s "quoted" and `ticked` $HOME $(id) \\ ;',
    'Größe, 漢字, 😀, e\u0301',
  ];
  const lines = Array.from(
    { length: 33 },
    (_, line) =>
      `${line}: the quick brown fox ${number * 1000 + line} jumps over the lazy dog, again and again, ${line}`,
  );
  return [`Prompt ${number} of ${PROMPTS}.`, ...odd, ...lines, `End of prompt ${number};`].join('\n');
}
