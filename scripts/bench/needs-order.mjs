import { setTimeout as pause } from 'node:timers/promises';

/** @typedef {import('./baton-server.mjs').BatonServer} BatonServer */
/** @typedef {import('playwright-core').Page} Page */

/**
 * The reasons why an agent can need the operator, the most urgent first, as the documentation promises. The bench must
 * not use Baton's own list, because that list could be wrong.
 */
const WORST_FIRST = ['failed', 'question', 'decision', 'lost', 'stuck', 'handoff'];
/**
 * The order in which the agents of this bench will need the operator, with the reason of each agent. The most urgent
 * reason comes late, and some reasons come twice.
 */
const PLAN = /** @type {const} */ (['stuck', 'question', 'stuck', 'failed', 'question', 'failed']);
const MAX_WAIT_MS = 60_000;

/**
 * Starts the agents that will need the operator. These agents must not send other events, because the list "Needs you"
 * leaves out an agent that is busy.
 *
 * @param {BatonServer} baton
 * @param {number} projectId
 */
export async function startNeedyAgents(baton, projectId) {
  const agents = [];
  for (const [at, kind] of PLAN.entries()) {
    const persona =
      kind === 'failed'
        ? (await baton.call('/api/personas/register', { role: 'tester', name: `Needy ${at}` })).slug
        : null;
    const { id, session_uuid } = await baton.call('/api/agents', { project_id: projectId, persona });
    await baton.ready(id, session_uuid);
    agents.push({ id: /** @type {number} */ (id), kind });
  }
  return agents;
}

/**
 * Makes one agent after another need the operator during a flood of `events`, and checks the order after every change
 * of the page.
 *
 * @param {BatonServer} baton
 * @param {Page} page
 * @param {readonly { id: number, kind: string }[]} agents
 * @param {Promise<unknown>} events
 */
export async function watchNeedsOrder(baton, page, agents, events) {
  const orders = await recordOrders(page);
  /** @type {Map<number, { severity: string, since: string }>} */
  const needs = new Map();
  /** @type {number[]} */
  const shownMs = [];
  for (const { id, kind } of agents) {
    await raise(baton, id, kind);
    const need = await needOf(baton, id, kind);
    needs.set(id, need);
    const known = Date.now();
    await until(async () => (await shownOrder(page)).includes(id), `the page shows the need of agent ${id}`);
    shownMs.push(Date.now() - known);
  }
  await events;
  await until(async () => (await shownOrder(page)).length === needs.size, 'the page shows all needs');
  const samples = await orders();
  return {
    needs: needs.size,
    order_samples: samples.length,
    order_wrong: samples.filter((ids) => !isWorstFirst(ids, needs)).length,
    need_shown_max_ms: Math.max(...shownMs),
  };
}

/**
 * @param {BatonServer} baton
 * @param {number} id
 * @param {string} kind
 */
function raise(baton, id, kind) {
  if (kind === 'failed') return baton.call(`/api/agents/${id}/handoff`, {});
  const text = kind === 'question' ? '[[practice:dialog Bash(make)]]' : '[[practice:error]]';
  return baton.call(`/api/agents/${id}/messages`, { text });
}

/**
 * @param {BatonServer} baton
 * @param {number} id
 * @param {string} kind
 * @returns {Promise<{ severity: string, since: string }>}
 */
async function needOf(baton, id, kind) {
  /** @type {{ severity: string, since: string } | null | undefined} */
  let need;
  await until(async () => {
    need = (await baton.call(`/api/agents/${id}`)).needs;
    return need?.severity === kind;
  }, `agent ${id} needs the operator: ${kind}`);
  return /** @type {{ severity: string, since: string }} */ (/** @type {unknown} */ (need));
}

/**
 * Records the order of the agents in the list "Needs you" after every change of the page. A script inside the page does
 * this, so that no change is missed on a busy machine.
 *
 * @param {Page} page
 * @returns {Promise<() => Promise<number[][]>>}
 */
async function recordOrders(page) {
  await page.evaluate(() => {
    /** @type {number[][]} */
    const orders = [];
    Object.assign(window, { orders });
    new MutationObserver(() => {
      const cards = document.querySelectorAll('[aria-label="Needs you, worst first"] article');
      orders.push([...cards].map((card) => Number(/agent (\d+)$/.exec(card.ariaLabel ?? '')?.[1])));
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => /** @type {any} */ (window).orders);
}

/**
 * Returns the agent numbers of the cards in the list "Needs you" of the page, from top to bottom.
 * @param {Page} page
 */
const shownOrder = (page) =>
  page
    .getByRole('list', { name: 'Needs you, worst first' })
    .getByRole('article')
    .evaluateAll((cards) => cards.map((card) => Number(/agent (\d+)$/.exec(card.ariaLabel ?? '')?.[1])));

/**
 * True if the agents are sorted by urgency: no agent is listed below an agent with a less urgent need.
 * @param {readonly number[]} ids
 * @param {ReadonlyMap<number, { severity: string, since: string }>} needs
 */
function isWorstFirst(ids, needs) {
  const ranks = ids
    .map((id) => needs.get(id))
    .map((need) => need && { ...need, rank: WORST_FIRST.indexOf(need.severity) });
  return ranks.every((need, at) => {
    const before = ranks[at - 1];
    if (need === undefined || before === undefined) return at === 0 || need !== undefined;
    return before.rank < need.rank || (before.rank === need.rank && before.since <= need.since);
  });
}

/**
 * @param {() => Promise<boolean>} holds
 * @param {string} what
 */
async function until(holds, what) {
  for (const end = Date.now() + MAX_WAIT_MS; !(await holds()); ) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await pause(25);
  }
}
