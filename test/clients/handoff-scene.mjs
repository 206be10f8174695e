// Plays one handoff with a real client as agent and as successor. Baton's answers are compared with the evidence: the
// requests at the model, the submissions that a hook of the user recorded, and the document.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBatonWith, until } from './baton-with-client.mjs';
import { isAside, startStubModel } from './model/stub-model.mjs';

/** @typedef {Awaited<ReturnType<typeof openScene>>} Scene */
/** @typedef {{ config?: object, homeFiles?: Record<string, string>, allow?: string[], crashAt?: string, policy?: string }} Setting */

const SUBMISSIONS = 'submissions.jsonl';
export const WORD = 'quince-4711';
/** The timeout is long: with 30 waiting processes on two cores, opencode needed more than 90 seconds for a successor. */
const PATIENCE_MS = 240_000;
/** The timeout is long, because the client may be slow on a busy machine. */
const RECEIPT_S = 20;

/** @typedef {import('./describe/client.mjs').ClientDescription} ClientDescription */
/** @typedef {{ client: ClientDescription, program: string, version: string }} Installed */

/**
 * @param {Installed & { beside?: Installed[], log?: string, env?: Record<string, string | undefined> } & Setting} options `beside`: further
 *   clients that the same operator has
 */
export async function openScene({
  client,
  program,
  version,
  beside = [],
  log,
  policy = 'true',
  allow = [],
  env = {},
  ...setting
}) {
  const model = await startStubModel({ ...(log ? { log } : {}) });
  const starts = [{ client, program, version }, ...beside].map((each) =>
    each.client.start({ program: each.program, version: each.version, port: model.port, policy, allow }),
  );
  const config = { message_receipt_seconds: RECEIPT_S, ...setting.config };
  const baton = await startBatonWith({
    env: Object.assign({}, ...starts.map((start) => start.env), env),
    files: Object.assign({}, ...starts.map((start) => start.files)),
    projectFiles: Object.assign({}, ...starts.map((start) => start.projectFiles)),
    ...setting,
    config,
  });
  try {
    return { ...(await startAgent(client, baton, model)), program };
  } catch (error) {
    await baton.cleanUp();
    await model.close();
    throw error;
  }
}

/** @param {ClientDescription} client @param {Awaited<ReturnType<typeof startBatonWith>>} baton @param {Awaited<ReturnType<typeof startStubModel>>} model */
async function startAgent(client, baton, model) {
  const persona = await baton.call('POST', '/api/personas/register', { role: 'developer', name: 'Con' });
  const project = await baton.call('POST', '/api/projects', { path: baton.project });
  const wanted = { project_id: project.id, persona: persona.slug, runtime: client.id };
  const { id, error } = await baton.call('POST', '/api/agents', wanted);
  expect(id !== undefined, `the agent was refused: ${JSON.stringify(error)}`);
  const scene = { client, baton, model, persona, agent: { id } };
  await untilReady(scene, id);
  await tell(scene, `Remember the word ${WORD}.`);
  await baton.agentWhen(id, isIdle);
  return scene;
}

/**
 * Waits until the agent is ready for its first prompt.
 * @param {{ client: ClientDescription, baton: Awaited<ReturnType<typeof startBatonWith>> }} scene
 * @param {number} id
 */
export async function untilReady({ client, baton }, id) {
  const agent = await baton.agentWhen(id, (seen) => isIdle(seen) && seen.skill_injected_at !== null);
  // Wait for the composer, because on a busy machine the client draws it seconds after the session has begun.
  await until(
    'the composer',
    () => baton.screen(agent),
    (screen) => client.shows.composer.test(screen),
  );
  return agent;
}

/** Returns the client's id for the agent's session. Some clients choose this id themselves. */
export async function sessionOf(/** @type {Scene['baton']} */ baton, /** @type {number} */ id) {
  const { events } = await baton.call('GET', '/api/events?after=0&limit=1000');
  const began = events.findLast(
    (/** @type {any} */ { type, agent_id }) => type === 'session_started' && agent_id === id,
  );
  return began?.data.runtimeSessionId ?? (await baton.agent(id)).session_uuid;
}

export const isIdle = (/** @type {any} */ agent) => agent.state === 'idle';

export async function tell(/** @type {any} */ { baton, agent }, /** @type {string} */ text) {
  const verdict = await baton.say(agent.id, text);
  expect(verdict.verdict === 'accepted', `not accepted: ${JSON.stringify(verdict)}`);
}

/** Requests the handoff. @returns {Promise<number>} the run's number */
export async function ask(/** @type {Scene} */ { baton, agent }, /** @type {object} */ more = {}) {
  const asked = await baton.call('POST', `/api/agents/${agent.id}/handoff`, { reason: 'context_limit', ...more });
  expect(asked.status === 'initiated', JSON.stringify(asked));
  return asked.run_id;
}

/** @param {Scene} scene @param {number} id @param {(run: any) => boolean} fits */
export const runWhen = ({ baton }, id, fits) =>
  until(`run ${id}`, () => baton.call('GET', `/api/runs/${id}`), fits, PATIENCE_MS);

/** @param {Scene} scene @param {number} id @param {(run: any) => boolean} [since] */
export const runOver = (scene, id, since = () => true) => runWhen(scene, id, (run) => run.over && since(run));

/** @param {Scene} scene @param {number} id */
export async function choose({ baton }, id, /** @type {string} */ action) {
  const run = await baton.call('POST', `/api/runs/${id}/${action}`, {});
  expect(run.id === id, JSON.stringify(run));
}

/** Returns the outcome of a run in the form in which the report prints it. */
export const endOf = (/** @type {any} */ run) =>
  run.step === 'failed'
    ? `failed ${run.failure.code}`
    : `${run.step}${run.step === 'completed' && !run.acknowledged ? ' unacknowledged' : ''}`;

/**
 * Returns a function that matches the requests of the conversation whose prompt matches `ref`. It does not match the
 * requests in which a client asks the model for a title, although such a request may contain the same prompt.
 */
const asksWith =
  (/** @type {RegExp} */ ref) =>
  (/** @type {any} */ { prompt, toolResult, tools }) =>
    toolResult === null && tools.length > 0 && ref.test(prompt) && !isAside({ prompt });
export const isInstruction = asksWith(/\[baton:\S+-instruction(-\d+)?\]/);
export const isInjection = asksWith(/\[baton:\S+-injection(-\d+)?\]/);

/**
 * Counts, for each kind of prompt that Baton sends (such as the instruction), how often the client submitted the prompt
 * and how often the conversation contains it. Every request repeats the whole conversation, so the largest count in any
 * request is the right one.
 */
export function heard(/** @type {Scene} */ { baton, model }) {
  /** @type {Record<string, { model: number, submitted: number }>} */
  const all = {};
  const of = (/** @type {string} */ purpose) => {
    all[purpose] ??= { model: 0, submitted: 0 };
    return all[purpose];
  };
  for (const { texts } of model.requests) {
    for (const [purpose, count] of refsIn(texts)) of(purpose).model = Math.max(of(purpose).model, count);
  }
  for (const [purpose, count] of refsIn(submissions(baton))) of(purpose).submitted = count;
  return all;
}

/** @returns {string[]} every prompt that the client submitted, except a typed skill */
export const submissions = (/** @type {Scene['baton']} */ { user }) =>
  existsSync(join(user, SUBMISSIONS))
    ? readFileSync(join(user, SUBMISSIONS), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).prompt)
        .filter((prompt) => !/\[baton:\S+-skill(-\d+)?\]\s*$/.test(prompt))
    : [];

function refsIn(/** @type {string[]} */ texts) {
  const counts = new Map();
  for (const text of texts) {
    const [, ref, purpose] = /\[baton:(\S+?-([a-z]+(?:-\d+)?))\]\s*$/.exec(text) ?? [];
    if (ref !== undefined && !purpose?.startsWith('skill')) counts.set(purpose, (counts.get(purpose) ?? 0) + 1);
  }
  return counts;
}

/**
 * Expects that each of the named prompts was submitted once and reached the model once, and that Baton sent no other
 * prompt.
 */
export function expectOnce(/** @type {Scene} */ scene, /** @type {string[]} */ ...purposes) {
  const wanted = Object.fromEntries(purposes.map((purpose) => [purpose, { model: 1, submitted: 1 }]));
  const sorted = (/** @type {object} */ one) => JSON.stringify(Object.entries(one).sort());
  expect(sorted(heard(scene)) === sorted(wanted), `typed: ${JSON.stringify(heard(scene))}`);
}

/**
 * Checks a completed handoff: the predecessor has ended, and the successor got its skill and read the document before
 * the acknowledgment.
 */
export async function expectHandedOver(/** @type {Scene} */ scene, /** @type {any} */ run) {
  const { baton, model, persona } = scene;
  const before = await baton.agent(run.agent_id);
  // Wait until the successor is idle. Baton gets the acknowledgment first, and the model sees it only in the next
  // request.
  const after = await baton.agentWhen(run.successor_agent_id, isIdle);
  expect(before.state === 'ended', `the predecessor is ${before.state}`);
  const turns = model.turnsOf(await sessionOf(baton, after.id));
  const skill = readFileSync(join(baton.home, 'data/personas', persona.slug, 'skill.md'), 'utf8').trim();
  // Before the handoff prompt, only a skill is allowed, because some clients get their skill as the first prompt.
  const told = turns.findIndex(isInjection);
  const isFirst = turns.slice(0, told).every(({ prompt }) => prompt.includes('--- skill ---'));
  expect(told >= 0 && isFirst, `the first thing the successor heard: ${turns[0]?.prompt.slice(0, 200)}`);
  expect(turns[told]?.conversation.includes(JSON.stringify(skill).slice(1, -1)), 'the successor has no skill');
  const read = turns.findIndex(({ toolResult }) => toolResult?.includes('handoff-end:'));
  const proof = tokenOf(run);
  const ack = `baton ack ${run.id} --proof ${proof} `;
  const isAck = (/** @type {string} */ said) =>
    said.includes(ack) || (said.includes('handoff_run_ack') && said.includes(String(proof)));
  const acknowledges = turns.findIndex(({ said }) => said.some(isAck));
  expect(proof !== undefined && acknowledges > 0, `nobody ran: ${ack}`);
  expect(read > 0 && read < acknowledges, 'the document was not read before it was acknowledged');
  expect(/go on with the parser/.test(run.acknowledgement?.task), JSON.stringify(run.acknowledgement));
}

const tokenOf = (/** @type {any} */ run) =>
  /handoff-end:([\w-]+) -->\s*$/.exec(readFileSync(run.document.absolute_path, 'utf8'))?.[1];

export function expect(/** @type {unknown} */ holds, /** @type {string} */ otherwise) {
  if (!holds) throw new Error(otherwise);
}
