// Tests a workflow of three agents. The second agent is the real Claude Code. A gate follows the step of the second
// agent, and a person rejects this gate once.
//
// Ada (practice agent) specifies, Sam (the real client) builds, Eve (practice agent) reviews. A stub plays Sam's model.
// The evidence is Baton's log and the requests at the model.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeConfig, claudeEnv } from '../conformance/clients.mjs';
import { startBatonWith, until } from './baton-with-client.mjs';
import { expect, isIdle } from './handoff-scene.mjs';
import { startStubModel } from './model/stub-model.mjs';

const ADA = 'architect-ada-1';
const SAM = 'developer-sam-2';
const EVE = 'reviewer-eve-3';
const PATIENCE_MS = 120_000;
const TOOL = 'mcp__baton__';
const LOADED = ['handoff_receive', 'handoff_ack', 'handoff_create', 'handoff_complete'];
const REASON = 'Name all 12 endpoints';

/** @typedef {import('./model/stub-model.mjs').Asked} Asked */

/** @param {{ program: string, version: string, log?: string }} options */
export async function checkWorkflow({ program, version, log }) {
  const model = await startStubModel({ ...(log ? { log } : {}) });
  const baton = await startBatonWith({
    env: { BATON_CLAUDE: program, ...claudeEnv(model.port) },
    files: { '.claude.json': JSON.stringify(claudeConfig(version)) },
  });
  try {
    prepare(baton.project);
    const project = await baton.call('POST', '/api/projects', { path: baton.project });
    for (const [role, name, runtime] of [
      ['architect', 'Ada', 'practice'],
      ['developer', 'Sam', 'claude-code'],
      ['reviewer', 'Eve', 'practice'],
    ]) {
      const persona = await baton.call('POST', '/api/personas/register', { role, name });
      const agent = await baton.call('POST', '/api/agents', { project_id: project.id, persona: persona.slug, runtime });
      expect(agent.id !== undefined, JSON.stringify(agent));
      await baton.agentWhen(agent.id, (seen) => isIdle(seen) && seen.skill_injected_at !== null, PATIENCE_MS);
    }
    const told = script(model);
    const begun = await baton.call('POST', '/api/packages', { package: first(), project_id: project.id });
    expect(begun.id !== undefined, JSON.stringify(begun));
    const gate = await openGate(baton, []);
    await decide(baton, gate, 'reject', REASON);
    const second = await openGate(baton, [gate]);
    await decide(baton, second, 'approve', '');
    const passedOn = await until(
      'the package to Eve',
      () => packagesOf(baton),
      (packages) => packages.some((each) => each.to === EVE && each.state === 'completed'),
      PATIENCE_MS,
    );
    const states = passedOn.map(({ type, to, state }) => `${type} to ${to} ${state}`);
    const wanted = [
      `sequential to ${ADA} completed`,
      `sequential to ${SAM} completed`,
      'gate to human rejected',
      'gate to human completed',
      `sequential to ${EVE} completed`,
    ];
    expect(JSON.stringify(states) === JSON.stringify(wanted), `the way was: ${states}`);
    expect(told.decision.includes(REASON), `the model read of the rejection: ${told.decision}`);
    expect(told.refused.length === 2, `the model was refused: ${told.refused}`);
  } finally {
    await baton.cleanUp();
    await model.close();
  }
}

/** @param {string} folder */
function prepare(folder) {
  mkdirSync(join(folder, 'docs'));
  mkdirSync(join(folder, '.project'));
  writeFileSync(join(folder, 'docs/spec.md'), '# Specification\n12 endpoints\n');
  writeFileSync(
    join(folder, '.project/workflow.yaml'),
    [
      'workflow:',
      '  name: feature',
      '  steps:',
      `    - { step: specify, persona: ${ADA} }`,
      `    - step: build`,
      `      persona: ${SAM}`,
      '      deliverable: The 12 endpoints of docs/architecture.md',
      '      gate: { type: blocking, name: Build review, items: [All 12 endpoints are there] }',
      `    - { step: review, persona: ${EVE}, deliverable: A list of the findings }`,
      '',
    ].join('\n'),
  );
  const packages = {
    Ada: { writes: 'docs/architecture.md', passOn: 'The architecture is written' },
    Eve: { writes: 'docs/review.md' },
  };
  writeFileSync(join(folder, '.practice.json'), JSON.stringify({ packages, contextWindow: 200_000 }));
}

const first = () => ({
  from: { agent: 'human' },
  to: { reason: 'The specification is approved' },
  context: {
    summary: 'Specification of 12 endpoints in docs/spec.md, approved.',
    artifacts: [{ path: 'docs/spec.md', type: 'spec', description: 'The specification', role: 'referenced' }],
  },
  expectations: { deliverable: 'Architecture of the 12 endpoints in docs/architecture.md' },
});

/** @param {any} baton @returns {Promise<any[]>} all packages, oldest first */
const packagesOf = async (baton) => (await baton.call('GET', '/api/packages')).packages.toReversed();

/** @param {any} baton @param {readonly string[]} before @returns {Promise<string>} */
async function openGate(baton, before) {
  const isOpen = (/** @type {any} */ { id, type, state }) =>
    type === 'gate' && state === 'pending' && !before.includes(id);
  const packages = await until(
    before.length === 0 ? 'the gate' : 'the gate after the rejection',
    () => packagesOf(baton),
    (found) => found.some(isOpen),
    PATIENCE_MS,
  );
  return packages.find(isOpen).id;
}

/** @param {any} baton @param {string} id @param {string} option @param {string} reason */
async function decide(baton, id, option, reason) {
  const { seen } = await baton.call('GET', `/api/packages/${id}`);
  const decided = await baton.call('POST', `/api/packages/${id}/decide`, { option, reason, seen });
  expect(decided.id === id, JSON.stringify(decided));
}

/**
 * Scripts the model. The model accepts the step and tries to pass the work on, but Baton refuses until a person has
 * approved the gate. After the approval, the model passes the work on and completes the step.
 * @param {any} model
 */
function script(model) {
  const told = { decision: '', refused: /** @type {string[]} */ ([]) };
  let id = '';
  const use = (/** @type {string} */ name, /** @type {Record<string, unknown>} */ input) => ({
    tool: { name: `${TOOL}${name}`, input },
  });
  const passOn = (/** @type {string} */ summary) =>
    use('handoff_create', {
      package: {
        from: { agent: SAM },
        to: { reason: 'The endpoints are built' },
        context: { summary, artifacts: [{ path: 'docs/architecture.md' }] },
      },
    });
  const says =
    (/** @type {RegExp} */ words) =>
    (/** @type {Asked} */ { prompt, toolResult, body }) =>
      toolResult === null && (body.tools ?? []).length > 0 && words.test(prompt);
  const isRefused = (/** @type {Asked} */ { toolResult }) => {
    told.refused.push(toolResult ?? '');
    return { text: 'A person has to decide first.' };
  };
  model.play(
    says(/^Baton: package HO-\S+ \(sequential\)/),
    ({ prompt }) => {
      id = /HO-[\d-]+/.exec(prompt)?.[0] ?? '';
      return { tool: { name: 'ToolSearch', input: { query: `select:${LOADED.map((name) => TOOL + name)}` } } };
    },
    () => use('handoff_receive', { id }),
    () =>
      use('handoff_ack', {
        id,
        acknowledgment: { received: true, understood: { task: 'I build the 12 endpoints' }, starting: true },
      }),
    () => passOn('10 of 12 endpoints of docs/architecture.md are built.'),
    isRefused,
  );
  model.play(
    says(/^Baton: the operator rejected your gate/),
    ({ prompt }) => use('handoff_receive', { id: /HO-[\d-]+/.exec(prompt)?.[0] ?? '' }),
    ({ toolResult }) => {
      told.decision = toolResult ?? '';
      return passOn('12 of 12 endpoints of docs/architecture.md are built.');
    },
    isRefused,
  );
  model.play(
    says(/^Baton: the operator approved your gate/),
    () => passOn('12 of 12 endpoints of docs/architecture.md are built.'),
    () => use('handoff_complete', { id }),
    () => ({ text: 'The step is passed on.' }),
  );
  return told;
}
