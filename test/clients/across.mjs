// npm run e2e:clients -- --across: handoffs from each client to every other client, and from an agent at its usage
// limit to another client. The three clients share one operator, one Baton and one stub model. The requests to the
// model are the evidence.

import { readFileSync } from 'node:fs';
import {
  ask,
  endOf,
  expect,
  expectHandedOver,
  expectOnce,
  isInjection,
  openScene,
  runOver,
  tell,
  WORD,
} from './handoff-scene.mjs';
import { UNDONE, undoes } from './handoffs.mjs';

/** @typedef {import('./handoff-scene.mjs').Scene} Scene */
/** @typedef {import('./handoff-scene.mjs').Installed} Installed */
/** @typedef {{ completed: boolean, proof_ok: boolean, ms: number, why?: string }} Outcome */

/**
 * @param {{ clients: Installed[], log?: string, only?: string, say: (line: string) => void }} options `only`: the
 *   parts and pairs of clients to run, separated by commas; a part is for example pairs, limited or undo, and a pair is
 *   for example codex>opencode
 */
export async function checkAcross({ clients, log, only, say }) {
  const wanted = only?.split(',');
  const versions = Object.fromEntries(clients.map(({ client, version }) => [client.id, version]));
  /** @type {Record<string, Record<string, Outcome>>} */
  const report = {};
  for (const [part, { pairs, play }] of Object.entries(partsFor(clients))) {
    /** @type {Record<string, Outcome>} */
    const results = {};
    report[part] = results;
    for (const { from, to } of pairs) {
      const name = `${from.client.id}>${to.client.id}`;
      if (wanted !== undefined && !wanted.includes(part) && !wanted.includes(name)) continue;
      const beside = clients.filter((each) => each !== from);
      const env = part === 'limited' ? from.client.subscriber : undefined;
      const options = { ...from, beside, ...(env ? { env } : {}), ...(log ? { log } : {}) };
      const result = await playOnce(options, (scene) => play(scene, to.client.id), say);
      results[name] = result;
      const isRight = result.completed && result.proof_ok;
      say(`${isRight ? 'ok    ' : 'FAILED'}  ${part}  ${name}  ${result.ms} ms  ${result.why ?? ''}`);
    }
  }
  const all = Object.values(report).flatMap((part) => Object.values(part));
  const passed = all.length > 0 && all.every(({ completed, proof_ok: isProved }) => completed && isProved);
  return { versions, ...report, passed };
}

/** @param {Installed[]} clients @returns {Record<string, { pairs: { from: Installed, to: Installed }[], play: (scene: Scene, to: string) => Promise<object> }>} */
function partsFor(clients) {
  const pairs = clients.flatMap((from) => clients.filter((to) => to !== from).map((to) => ({ from, to })));
  const ring = clients.map((from, at) => ({ from, to: clients[(at + 1) % clients.length] ?? from }));
  return {
    pairs: { pairs, play: handsOver },
    limited: { pairs: ring, play: continuesElsewhere },
    undo: { pairs: ring, play: comesBack },
  };
}

/** @param {Parameters<typeof openScene>[0]} options @param {(scene: Scene) => Promise<object>} play @param {(line: string) => void} say */
async function playOnce(options, play, say) {
  const began = performance.now();
  const outcome = { completed: false, proof_ok: false };
  /** @type {Scene | undefined} */
  let scene;
  try {
    scene = await openScene(options);
    Object.assign(outcome, await play(scene));
    return { ...outcome, ms: Math.round(performance.now() - began) };
  } catch (error) {
    for (const { id } of (await scene?.baton.call('GET', '/api/agents').catch(() => ({ agents: [] })))?.agents ?? []) {
      const screen = (await scene?.baton.screen(await scene.baton.agent(id))) ?? '';
      say(screen.replace(/^\s*\n/gm, '').replace(/^/gm, `        ${id} | `));
    }
    const why = String(error instanceof Error ? error.message : error).slice(0, 600);
    return { ...outcome, ms: Math.round(performance.now() - began), why };
  } finally {
    await scene?.baton.cleanUp();
    await scene?.model.close();
  }
}

/** @param {Scene} scene @param {string} to */
async function handsOver(scene, to) {
  const run = await runOver(scene, await ask(scene, { runtime: to }));
  expect(run.step === 'completed', `${endOf(run)}: ${run.failure?.sentence}`);
  await expectProved(scene, run, to);
  expectOnce(scene, 'instruction', 'injection');
  return { completed: true, proof_ok: true };
}

/** @param {Scene} scene @param {any} run @param {string} to */
async function expectProved(scene, run, to) {
  const successor = await scene.baton.agent(run.successor_agent_id);
  expect(successor.runtime === to, `the successor runs on ${successor.runtime}`);
  expect(run.acknowledged, 'the successor has not acknowledged');
  await expectHandedOver(scene, run);
}

/**
 * Checks a handoff from an agent at its usage limit. Baton's document must contain the refused prompt and the
 * conversation before it, and the successor must prove that it has read the document.
 * @param {Scene} scene
 * @param {string} to
 */
async function continuesElsewhere(scene, to) {
  const { baton, agent, model } = scene;
  // Refuse only a prompt that begins with this text. The successor's prompt quotes the text further down, and the model
  // must answer the successor's prompt.
  const asks = (/** @type {any} */ { prompt }) => prompt.startsWith('Write the parser of quinces.');
  model.fail('usage_limit', asks, 99);
  await tell(scene, 'Write the parser of quinces.');
  // Wait for the transcript, because the hook of Claude Code does not say when the limit ends or whether the client
  // retries by itself.
  const { limit, state_reason: words } = await baton.agentWhen(
    agent.id,
    ({ state, limit: known }) => state === 'limited' && (known.until ?? known.retries_at) !== null,
  );
  const retries = scene.client.id === 'opencode';
  expect((limit.until === null) === retries, `the end of the limit: ${JSON.stringify(limit)}`);
  const refused = await baton.call('POST', `/api/agents/${agent.id}/handoff`, { reason: 'context_limit' });
  expect(refused.code === 'agent_limited', `an agent that cannot write was asked to: ${JSON.stringify(refused)}`);
  const { items } = await baton.call('GET', '/api/inbox');
  expect(
    items.some((/** @type {any} */ { agent_id: id, sentence }) => id === agent.id && /limit/i.test(sentence)),
    `the limit is not in the inbox: ${JSON.stringify(items)}`,
  );
  const asked = await baton.call('POST', `/api/agents/${agent.id}/succeed`, { runtime: to });
  expect(asked.run_id !== undefined, JSON.stringify(asked));
  const run = await runOver(scene, asked.run_id);
  expect(run.step === 'completed', `${endOf(run)}: ${run.failure?.sentence}`);
  expect(run.emergency && run.document !== null, 'the run has no document of Baton');
  const document = readFileSync(run.document.absolute_path, 'utf8');
  for (const known of ['Written by Baton, not by the agent', 'the parser of quinces', WORD])
    expect(document.includes(known), `"${known}" is not in the document:\n${document}`);
  await expectProved(scene, run, to);
  expectOnce(scene, 'injection');
  expect(/emergency handoff/.test(model.requests.find(isInjection)?.prompt ?? ''), 'the successor was not told');
  const { until, retries_at: retriesAt, continues_itself: continues } = limit;
  return { completed: true, proof_ok: true, words, until, retries_at: retriesAt, continues_itself: continues };
}

/** @param {Scene} scene @param {string} to */
async function comesBack(scene, to) {
  const end = await undoes(scene, { runtime: to });
  expect(end === UNDONE, end);
  return { completed: true, proof_ok: true, back_in: scene.agent.runtime };
}
