// A case of `npm run e2e:clients -- CLIENT --handoff`: the stub model reports different token counts with each answer.
// Baton's sums must equal the sums of these counts after each event: a turn, a tool, a subagent, a branch, a new
// session, a resume and a handoff.

import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './baton-with-client.mjs';
import { ask, expect, isIdle, runOver, sessionOf, tell, untilReady } from './handoff-scene.mjs';
import { isAside } from './model/stub-model.mjs';

/** @typedef {import('./handoff-scene.mjs').Scene} Scene */
/** @typedef {import('./model/stub-model.mjs').Asked} Asked */

/**
 * Returns token counts for the answer with the given number. Each combination of answers has a different sum, so a
 * wrong sum shows which answers Baton has added.
 */
const spend = (/** @type {number} */ answer, /** @type {string} */ dialect) => ({
  input: 1_000 + answer,
  cacheRead: 5_000 + 7 * answer ** 2,
  cacheWrite: dialect === 'chat' ? 0 : 300 + 11 * answer,
  output: 40 + 13 * answer,
  reasoning: 5 + answer,
});

export const TOKEN_COUNTS = {
  expected: 'exact for predecessor, resumed agent and successor, one notice',
  setting: { allow: ['Agent'] },
  play: async (/** @type {Scene} */ scene) => {
    const { baton, model, client } = scene;
    const first = scene.agent.id;
    model.spend(spend);
    for (const text of ['One.', 'Two.', 'Use a tool. ⟦bash echo a word⟧']) await turn(scene, text);
    const { subagent } = client;
    if (subagent !== undefined) {
      model.instead(isAsked('Let another do it.'), () => ({ tool: subagent }));
      await turn(scene, 'Let another do it.');
    }
    await expectCounted(scene, 'after the turns', { [first]: () => model.requests });

    await branch(scene);
    await expectCounted(scene, 'after the branch', { [first]: () => model.requests });
    if (client.cannot.clear === undefined) {
      await command(scene, client.commands.clear ?? '');
      await turn(scene, 'After the clearing.');
    }
    await expectCounted(scene, 'after the new session', { [first]: () => model.requests });

    const before = [...model.requests];
    await baton.call('POST', `/api/agents/${first}/stop`, {});
    await baton.agentWhen(first, ({ state }) => state === 'ended');
    const resumed = await baton.call('POST', `/api/agents/${first}/resume`, {});
    expect(resumed.id !== undefined, JSON.stringify(resumed));
    scene.agent = resumed;
    await untilReady(scene, resumed.id);
    await turn(scene, 'Where were we?');
    const since = () => model.requests.slice(before.length);
    const used = await expectCounted(scene, 'after the resume', { [first]: () => before, [resumed.id]: since });

    await baton.call('POST', '/api/settings', { token_budget: used + 1 });
    const run = await runOver(scene, await ask(scene));
    expect(run.step === 'completed', `${run.step}: ${run.failure?.sentence}`);
    const next = run.successor_agent_id;
    await baton.agentWhen(next, isIdle);
    const session = await sessionOf(baton, next);
    const own = () => model.turnsOf(session);
    const others = () => since().filter((asked) => !own().includes(asked));
    await expectCounted(scene, 'after the handoff', { [first]: () => before, [resumed.id]: others, [next]: own });
    await expectSums(scene);
    const { events } = await baton.call('GET', '/api/events?type=token_budget_passed');
    expect(events.length === 1, `${events.length} notices about the budget`);
    return TOKEN_COUNTS.expected;
  },
};

const isAsked =
  (/** @type {string} */ text) =>
  (/** @type {Asked} */ { prompt, tools }) =>
    tools.length > 0 && prompt.startsWith(text);

async function turn(/** @type {Scene} */ scene, /** @type {string} */ text) {
  await tell(scene, text);
  await answered(scene, text);
}

async function answered(/** @type {Scene} */ { baton, model, agent }, /** @type {string} */ text) {
  await until(`${text} at the model`, async () => model.requests.some(isAsked(text)), Boolean);
  await baton.agentWhen(agent.id, isIdle);
}

/** Types a command of the client as the operator. */
async function command(/** @type {Scene} */ { baton, agent }, /** @type {string} */ text) {
  // A client refuses its commands while a turn runs. Wait, because the hooks may report a turn a moment late, and the
  // agent looks idle until then.
  await sleep(1_500);
  const seen = await baton.agentWhen(agent.id, isIdle);
  await baton.type(seen, text);
  await sleep(1_500);
  await baton.press(seen, 'Enter');
  await sleep(3_000);
}

/** Continues in a copy of the session, with a prompt of the operator. */
async function branch(/** @type {Scene} */ scene) {
  const { baton, agent, client } = scene;
  await command(scene, client.commands.branch ?? '');
  const seen = await baton.agent(agent.id);
  if (client.branches !== undefined) {
    await client.branches({ press: (...keys) => baton.press(seen, ...keys) });
    await sleep(3_000);
  }
  await baton.type(seen, 'In the branch.');
  await until(
    'the prompt',
    () => baton.screen(seen),
    (screen) => client.shows.draft('In the branch.').test(screen),
  );
  await sleep(700);
  await baton.press(seen, 'Enter');
  await answered(scene, 'In the branch.');
}

/**
 * The tokens that the answers to the given requests reported, and the price of these tokens.
 * @param {Scene} scene
 * @param {Asked[]} requests
 */
function spentOn({ client }, requests) {
  const sum = { input: 0, output: 0, cache_read: 0, cache_write: 0 };
  for (const { spent, tools, prompt } of requests) {
    // Skip requests that the client makes for its own purposes, such as a request for a title, because the client does
    // not report their tokens.
    if (spent === null || tools.length === 0 || isAside({ prompt })) continue;
    sum.input += spent.input;
    sum.output += spent.output;
    sum.cache_read += spent.cacheRead;
    sum.cache_write += spent.cacheWrite;
  }
  const { price } = client;
  const kinds = /** @type {(keyof typeof sum)[]} */ (Object.keys(sum));
  const dollars = price && kinds.reduce((all, kind) => all + sum[kind] * price[kind], 0) / 1_000_000;
  return { ...sum, dollars: dollars ?? null };
}

/**
 * Waits until Baton has counted, for each agent, exactly the tokens and the cost of the agent's requests.
 * @param {Scene} scene
 * @param {string} when
 * @param {Record<number, () => Asked[]>} requests the requests of each agent
 * @returns {Promise<number>} the tokens of all agents
 */
async function expectCounted(scene, when, requests) {
  const { baton } = scene;
  let total = 0;
  for (const [id, ofAgent] of Object.entries(requests)) {
    const row = async () => {
      const { rows } = await baton.call('GET', '/api/usage?by=agent');
      const { tokens, cost_usd: cost } = rows.find((/** @type {any} */ { key }) => key === id) ?? {};
      return { spent: spentOn(scene, ofAgent()), tokens, cost };
    };
    const isExact = (/** @type {any} */ { spent: { dollars, ...wanted }, tokens, cost }) =>
      Object.entries(wanted).every(([kind, count]) => tokens?.[kind] === count) &&
      (dollars === null ? cost === null : Math.abs(cost - dollars) < 0.00001);
    const { tokens } = await until(`the tokens of agent ${id} ${when}`, row, isExact, 30_000);
    total += tokens.total;
  }
  return total;
}

/** Expects that the tokens and the cost that the CLI prints by persona, project and day equal the totals of all agents. */
async function expectSums(/** @type {Scene} */ { baton }) {
  const { rows, total } = await baton.call('GET', '/api/usage?by=agent');
  const sum = rows.reduce((/** @type {number} */ all, /** @type {any} */ { tokens }) => all + tokens.total, 0);
  for (const by of ['persona', 'project', 'day']) {
    const told = await baton.cli('usage', '--by', by);
    const same =
      told.rows.length === 1 && told.rows[0].tokens.total === sum && told.rows[0].cost_usd === total.cost_usd;
    expect(same, `by ${by}: ${JSON.stringify(told.rows)}, not ${sum}`);
  }
}
