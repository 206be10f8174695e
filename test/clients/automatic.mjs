// A case of `npm run e2e:clients -- claude-code --handoff`: the context of the real client fills up again and again,
// and Baton hands the client off each time without a person.

import { join } from 'node:path';
import { until } from './baton-with-client.mjs';
import { endOf, expect, expectHandedOver, isInjection, isInstruction, tell } from './handoff-scene.mjs';
import { toolCall } from './model/dialect.mjs';
import { documentWantedBy } from './model/stub-model.mjs';

/** @typedef {import('./handoff-scene.mjs').Scene} Scene */

const GENERATIONS = 10;
const QUESTION = 'Which license does the parser have?';
/** A token count above the threshold, both in a context window of 200,000 tokens and in one of 1,000,000 tokens. */
const TOKENS = 120_000;
const HANDOFF_MS = 240_000;

export const AUTOMATIC = {
  runtime: 'claude-code',
  expected: `${GENERATIONS} generations, completed`,
  setting: {
    config: { handoff_at_percent: 10 },
    // Let the user allow the client to edit files of the project without a question.
    allow: ['Write', 'Edit'],
  },
  play: async (/** @type {Scene} */ scene) => {
    const { baton, model, persona, agent } = scene;
    const edit = (/** @type {any} */ { tools }) => ({
      tool: toolCall({ name: 'Write', input: { file_path: partOf(baton), content: 'more of the parser\n' } }, tools),
    });
    // Each successor edits a file after its acknowledgment, because Baton does not automatically hand off a successor
    // that did no work.
    model.instead(isAcknowledged, edit, GENERATIONS);
    model.instead(isInstruction, asksQuestion);
    const policy = { mode: 'auto', idle_seconds: 1, countdown_seconds: 3, in_quiet_hours: true, per_day: GENERATIONS };
    await baton.call('POST', `/api/personas/${persona.slug}/handoff-policy`, { policy });
    await tell(scene, `Begin with the parser. ⟦usage ${TOKENS}⟧ ⟦write ${partOf(baton)}⟧`);
    const { events } = await baton.call('GET', '/api/events?order=desc&limit=1');
    const alone = events[0]?.seq ?? 0;

    let holder = agent.id;
    for (let generation = 1; generation <= GENERATIONS; generation++) {
      const run = await handedOff(scene, holder);
      if (run.step !== 'completed') return `generation ${generation}: ${endOf(run)}: ${run.failure?.sentence}`;
      await expectHandedOver(scene, run);
      expect(/the handoff policy of its persona is auto/.test(run.begun_because), `begun because ${run.begun_because}`);
      expect((await countdownsOf(scene, holder)) > 0, `agent ${holder} had no countdown`);
      holder = run.successor_agent_id;
    }
    // The handoff prompt of the last successor must contain the predecessor's task. The prompt must also contain the
    // open question, although only the first document contains this question.
    const last = model.requests.findLast(isInjection)?.prompt ?? '';
    expect(last.includes('go on with the parser') && last.includes(QUESTION), last);
    await expectNobody(scene, alone);
    return `${GENERATIONS} generations, completed`;
  },
};

const partOf = (/** @type {Scene['baton']} */ { project }) => join(project, 'parser.txt');

/** Returns whether the request comes directly after the `baton ack` command of a successor. */
const isAcknowledged = (/** @type {any} */ { toolResult, tools, said }) =>
  toolResult !== null && tools.length > 0 && said.at(-1)?.includes('baton ack ');

/** Writes a document that contains an open question. */
function asksQuestion(/** @type {any} */ { prompt, tools }) {
  const { path = '', content = '' } = documentWantedBy(prompt) ?? {};
  const asking = content.replace('## Next steps', `## Open questions\n\n- ${QUESTION}\n\n## Next steps`);
  return { tool: toolCall({ name: 'Write', input: { file_path: path, content: asking } }, tools) };
}

/**
 * Waits until the handoff of the given agent is over.
 * @param {Scene} scene
 * @param {number} agentId
 * @returns {Promise<any>}
 */
const handedOff = ({ baton }, agentId) =>
  until(
    `the handoff of agent ${agentId}`,
    async () =>
      (await baton.call('GET', '/api/runs')).runs.find((/** @type {any} */ run) => run.agent_id === agentId) ?? {},
    ({ over }) => over === true,
    HANDOFF_MS,
  );

async function countdownsOf(/** @type {Scene} */ { baton }, /** @type {number} */ agentId) {
  const { events } = await baton.call('GET', `/api/events?agent=${agentId}&type=countdown_began`);
  return events.length;
}

/** Expects that the log contains no action of a person after the event `since`. */
async function expectNobody(/** @type {Scene} */ { baton }, /** @type {number} */ since) {
  const { events } = await baton.call('GET', `/api/events?after=${since}&limit=1000`);
  const acts = events.filter((/** @type {any} */ { by }) => by?.startsWith('operator'));
  expect(acts.length === 0, `a person acted: ${JSON.stringify(acts[0])}`);
}
