// One handoff with the real Claude Code on both sides, with its own Baton and stub model. The evidence is the requests
// at the model, the submissions that a hook of the user's recorded, and the document; Baton's answers are compared with
// them.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeConfig, claudeEnv } from '../conformance/clients.mjs';
import { startBatonWith, until } from './baton-with-client.mjs';
import { isAside, startStubModel } from './stub-model.mjs';

/** @typedef {Awaited<ReturnType<typeof openScene>>} Scene */
/** @typedef {{ config?: object, homeFiles?: Record<string, string>, crashAt?: string, policy?: string }} Setting */

const SUBMISSIONS = 'submissions.jsonl';
export const WORD = 'quince-4711';
const PATIENCE_MS = 90_000;

/** @param {{ program: string, version: string, log?: string } & Setting} options */
export async function openScene({ program, version, log, policy = 'true', ...setting }) {
  const model = await startStubModel({ ...(log ? { log } : {}) });
  const keep = `{ cat; echo; } >> "$HOME/${SUBMISSIONS}"`;
  const baton = await startBatonWith({
    env: { BATON_CLAUDE: program, ...claudeEnv(model.port) },
    files: {
      '.claude.json': JSON.stringify(claudeConfig(version)),
      '.claude/settings.json': JSON.stringify({
        permissions: { defaultMode: 'default' },
        hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: `${keep}; ${policy}` }] }] },
      }),
    },
    ...setting,
  });
  try {
    return await startAgent(baton, model);
  } catch (error) {
    await baton.cleanUp();
    await model.close();
    throw error;
  }
}

/** @param {Awaited<ReturnType<typeof startBatonWith>>} baton @param {Awaited<ReturnType<typeof startStubModel>>} model */
async function startAgent(baton, model) {
  const persona = await baton.call('POST', '/api/personas/register', { role: 'developer', name: 'Con' });
  const project = await baton.call('POST', '/api/projects', { path: baton.project });
  const wanted = { project_id: project.id, persona: persona.slug, runtime: 'claude-code' };
  const { id } = await baton.call('POST', '/api/agents', wanted);
  const scene = { baton, model, persona, agent: { id } };
  const agent = await baton.agentWhen(id, (seen) => isIdle(seen) && seen.skill_injected_at !== null);
  // On a busy machine the composer is drawn seconds after the session has begun.
  await until(
    'the composer',
    () => baton.screen(agent),
    (screen) => /^❯/m.test(screen),
  );
  await tell(scene, `Remember the word ${WORD}.`);
  await baton.agentWhen(id, isIdle);
  return scene;
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

/** The end of a run, as the report shows it. */
export const endOf = (/** @type {any} */ run) =>
  run.step === 'failed'
    ? `failed ${run.failure.code}`
    : `${run.step}${run.step === 'completed' && !run.acknowledged ? ' unacknowledged' : ''}`;

/** Matches only requests of the conversation, because a client also requests a title for a typed prompt. */
const asksWith =
  (/** @type {RegExp} */ ref) =>
  (/** @type {any} */ { prompt, toolResult, body }) =>
    toolResult === null && (body.tools ?? []).length > 0 && ref.test(prompt) && !isAside({ prompt });
export const isInstruction = asksWith(/\[baton:\S+-instruction(-\d+)?\]/);
export const isInjection = asksWith(/\[baton:\S+-injection(-\d+)?\]/);

/**
 * The prompts of Baton by purpose: how often one conversation contained each, and how often it was submitted. Each
 * request repeats its conversation, so the largest count is used.
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

/** @returns {string[]} every prompt that the client submitted */
export const submissions = (/** @type {Scene['baton']} */ { user }) =>
  existsSync(join(user, SUBMISSIONS))
    ? readFileSync(join(user, SUBMISSIONS), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).prompt)
    : [];

function refsIn(/** @type {string[]} */ texts) {
  const counts = new Map();
  for (const text of texts) {
    const [, ref, purpose] = /\[baton:(\S+?-([a-z]+(?:-\d+)?))\]\s*$/.exec(text) ?? [];
    if (ref !== undefined) counts.set(purpose, (counts.get(purpose) ?? 0) + 1);
  }
  return counts;
}

/** Expects each of these prompts once, at the model and submitted, and no other prompt of Baton. */
export function expectOnce(/** @type {Scene} */ scene, /** @type {string[]} */ ...purposes) {
  const wanted = Object.fromEntries(purposes.map((purpose) => [purpose, { model: 1, submitted: 1 }]));
  const sorted = (/** @type {object} */ one) => JSON.stringify(Object.entries(one).sort());
  expect(sorted(heard(scene)) === sorted(wanted), `typed: ${JSON.stringify(heard(scene))}`);
}

/** Checks a completed handoff: the predecessor ended; the successor got its skill first, then the document's proof. */
export async function expectHandedOver(/** @type {Scene} */ scene, /** @type {any} */ run) {
  const { baton, model, persona } = scene;
  const before = await baton.agent(run.agent_id);
  // Wait: the model sees the acknowledgment one request after Baton.
  const after = await baton.agentWhen(run.successor_agent_id, isIdle);
  expect(before.state === 'ended', `the predecessor is ${before.state}`);
  const turns = model.turnsOf(after.session_uuid);
  const skill = readFileSync(join(baton.home, 'data/personas', persona.slug, 'skill.md'), 'utf8').trim();
  expect(isInjection(turns[0]), `the first thing the successor heard: ${turns[0]?.prompt.slice(0, 200)}`);
  expect(
    JSON.stringify(turns[0]?.body.messages).includes(JSON.stringify(skill).slice(1, -1)),
    'the successor has no skill',
  );
  const read = turns.findIndex(({ toolResult }) => toolResult?.includes('handoff-end:'));
  const proof = run.emergency ? /--proof (\S+)/.exec(turns[0]?.prompt ?? '')?.[1] : tokenOf(run);
  const ack = `baton ack ${run.id} --proof ${proof} `;
  const acknowledges = turns.findIndex(({ body }) =>
    body.messages.some((/** @type {any} */ said) => said.role === 'assistant' && JSON.stringify(said).includes(ack)),
  );
  expect(proof !== undefined && acknowledges > 0, `nobody ran: ${ack}`);
  expect(run.emergency || (read > 0 && read < acknowledges), 'the document was not read before it was acknowledged');
  expect(/go on with the parser/.test(run.acknowledgement?.task), JSON.stringify(run.acknowledgement));
}

const tokenOf = (/** @type {any} */ run) =>
  /handoff-end:([\w-]+) -->\s*$/.exec(readFileSync(run.document.absolute_path, 'utf8'))?.[1];

export function expect(/** @type {unknown} */ holds, /** @type {string} */ otherwise) {
  if (!holds) throw new Error(otherwise);
}
