// npm run e2e:clients -- claude-code --package: the real Claude Code receives and accepts a delegation and returns the
// result, all through Baton's tools.
//
// A practice agent sends the delegation, and a stub plays the model. The evidence is the requests at the model, the
// input of the user's own hooks, and Baton's store. The screen is used only to explain a failure.

import { createHmac } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { importSource } from '../../scripts/build/bundle.mjs';
import { claudeConfig, claudeEnv } from '../conformance/clients.mjs';
import { startBatonWith, until } from './baton-with-client.mjs';
import { checkWorkflow } from './claude-code-workflow.mjs';
import { expect, isIdle } from './handoff-scene.mjs';
import { startStubModel } from './model/stub-model.mjs';

const WORKFLOW = 'workflow_with_a_rejected_gate';
const CALLER = 'architect-ada-1';
const RECEIVER = 'security-check-sam-2';
const TASK = 'I look at docs/architecture.md for risks and tell what I find';
const EVIDENCE = '3 findings, none critical';
const PATIENCE_MS = 90_000;
const TOOL = 'mcp__baton__';
const LOADED = ['handoff_receive', 'handoff_ack', 'handoff_return'];

/** @typedef {Awaited<ReturnType<typeof openScene>>} Scene */
/** @typedef {import('./model/stub-model.mjs').Asked} Asked */

/** @param {{ program: string, version: string, log?: string, only?: string, say: (line: string) => void }} options */
export async function checkPackages({ program, version, log, only, say }) {
  const known = [...Object.keys(CASES), WORKFLOW];
  const asked = only?.split(',') ?? known;
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`No such case: ${unknown}. There are: ${known}`);
  /** @type {Record<string, boolean>} */
  const cases = {};
  if (asked.includes(WORKFLOW)) {
    const problem = await failureOf(() => checkWorkflow({ program, version, ...(log ? { log } : {}) }));
    cases[WORKFLOW] = problem === undefined;
    say(`${problem === undefined ? 'ok    ' : 'FAILED'}  ${WORKFLOW}  ${problem ?? ''}`);
  }
  const wanted = asked.filter((name) => name !== WORKFLOW);
  const result = () => ({ version, cases, passed: asked.length > 0 && Object.values(cases).every(Boolean) });
  if (wanted.length === 0) return result();
  const scene = await openScene({ program, version, ...(log ? { log } : {}) });
  try {
    await play(scene).catch((error) => say(`the exchange stopped: ${error instanceof Error ? error.message : error}`));
    for (const name of wanted) {
      const problem = await failureOf(() => CASES[name]?.(scene));
      cases[name] = problem === undefined;
      say(`${problem === undefined ? 'ok    ' : 'FAILED'}  ${name}  ${problem ?? ''}`);
    }
    if (Object.values(cases).includes(false))
      say((await scene.baton.screen(await scene.sam())).replace(/^/gm, '        | '));
  } finally {
    await scene.baton.cleanUp();
    await scene.model.close();
  }
  return result();
}

/** @param {() => unknown} check */
async function failureOf(check) {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** @param {{ program: string, version: string, log?: string }} options */
async function openScene({ program, version, log }) {
  const model = await startStubModel({ ...(log ? { log } : {}) });
  const keep = (/** @type {string} */ file) => [
    { hooks: [{ type: 'command', command: `{ cat; echo; } >> "$HOME/${file}"` }] },
  ];
  const baton = await startBatonWith({
    env: { BATON_CLAUDE: program, ...claudeEnv(model.port) },
    files: {
      '.claude.json': JSON.stringify(claudeConfig(version)),
      // Use the strictest permission mode. In this mode, a tool runs without a question only if Baton's own rules allow
      // it.
      '.claude/settings.json': JSON.stringify({
        permissions: { defaultMode: 'default' },
        hooks: {
          UserPromptSubmit: keep('submissions.jsonl'),
          PreToolUse: keep('tools.jsonl'),
          PermissionRequest: keep('permissions.jsonl'),
        },
      }),
    },
  });
  mkdirSync(join(baton.project, 'docs'));
  writeFileSync(join(baton.project, 'docs/spec.md'), '# Specification\n12 endpoints\n');
  const packages = { Ada: { writes: 'docs/architecture.md', delegateTo: RECEIVER } };
  writeFileSync(join(baton.project, '.practice.json'), JSON.stringify({ packages, contextWindow: 200_000 }));
  const project = await baton.call('POST', '/api/projects', { path: baton.project });
  const start = async (/** @type {string} */ role, /** @type {string} */ name, /** @type {string} */ runtime) => {
    const persona = await baton.call('POST', '/api/personas/register', { role, name });
    const agent = await baton.call('POST', '/api/agents', { project_id: project.id, persona: persona.slug, runtime });
    expect(agent.id !== undefined, JSON.stringify(agent));
    return baton.agentWhen(agent.id, (seen) => isIdle(seen) && seen.skill_injected_at !== null, PATIENCE_MS);
  };
  const { id: caller } = await start('architect', 'Ada', 'practice');
  const { id, session_uuid: session } = await start('security-check', 'Sam', 'claude-code');
  return {
    baton,
    model,
    caller,
    session,
    projectId: project.id,
    sam: () => baton.agent(id),
    samId: id,
    root: { id: '' },
  };
}

/** Plays the whole exchange: it begins with a package that a person sends, and ends when that package is completed. */
async function play(/** @type {Scene} */ scene) {
  const { baton, model, samId, projectId, root } = scene;
  script(scene);
  // Sam is in the middle of a turn when the package arrives, so Baton must wait for the end of the turn before it
  // announces the package.
  const told = await baton.say(samId, 'Say many words. ⟦slow 8⟧');
  expect(told.verdict === 'accepted', JSON.stringify(told));
  const made = await baton.call('POST', '/api/packages', { package: specification(), project_id: projectId });
  expect(made.id !== undefined, JSON.stringify(made));
  root.id = made.id;
  await until(
    'the end of the caller',
    () => baton.call('GET', `/api/packages/${made.id}`),
    ({ over }) => over,
    PATIENCE_MS,
  );
  await baton.agentWhen(samId, isIdle, PATIENCE_MS);
  expect(model.requests.length > 0, 'the model was never asked');
}

const specification = () => ({
  type: 'sequential',
  from: { agent: 'human' },
  to: { agent: CALLER, reason: 'The specification is approved' },
  context: {
    summary: 'Specification of 12 endpoints in docs/spec.md, approved.',
    decisions: [],
    artifacts: [{ path: 'docs/spec.md', type: 'spec', description: 'The specification', role: 'referenced' }],
    open_questions: [],
  },
  expectations: {
    deliverable: 'Architecture of the 12 endpoints in docs/architecture.md',
    constraints: [{ id: 'K-100', text: 'At most 3 services' }],
    success_criteria: ['docs/architecture.md names all 12 endpoints'],
  },
});

const isAnnouncement = (/** @type {Asked} */ { prompt, toolResult, body }) =>
  toolResult === null && (body.tools ?? []).length > 0 && /^Baton: package HO-\S+ \(delegation\)/.test(prompt);

/**
 * Scripts the turn in which the model reads the package, sends a bad and then a good acknowledgment, and returns the
 * result.
 */
function script(/** @type {Scene} */ { model }) {
  const use = (/** @type {string} */ name, /** @type {Record<string, unknown>} */ input) => ({
    tool: { name: `${TOOL}${name}`, input },
  });
  /** @type {any} */
  let one;
  let id = '';
  const ack = (/** @type {unknown} */ understood) =>
    use('handoff_ack', { id: one.id, acknowledgment: { received: true, understood, starting: true } });
  model.play(
    isAnnouncement,
    // The client gives the model only the names of the tools, so the model must load a tool before using it.
    ({ prompt }) => {
      id = /HO-[\d-]+/.exec(prompt)?.[0] ?? '';
      return { tool: { name: 'ToolSearch', input: { query: `select:${LOADED.map((name) => TOOL + name)}` } } };
    },
    () => use('handoff_receive', { id }),
    ({ toolResult }) => {
      one = jsonIn(toolResult).package;
      return ack('full');
    },
    () => ack({ task: TASK }),
    () => use('handoff_return', { id: one.id, package: returnOf(one) }),
    () => ({ text: 'It is given back.' }),
  );
}

const jsonIn = (/** @type {string | null} */ result) => JSON.parse(result?.split('\n').at(-1) ?? '');

const returnOf = (/** @type {any} */ { criteria }) => ({
  context: {
    summary: '3 findings about docs/architecture.md, none of them critical.',
    artifacts: [{ path: 'docs/architecture.md', type: 'doc', description: 'What was looked at', role: 'referenced' }],
    decisions: [],
    open_questions: [],
  },
  criteria_results: criteria.map((/** @type {any} */ { id }) => ({ id, result: 'pass', evidence: EVIDENCE })),
});

/** @returns {Promise<any>} the newest package of this type */
async function packageOf(/** @type {Scene} */ { baton, root }, /** @type {string} */ type) {
  const { packages = [] } = await baton.call('GET', `/api/packages/${root.id}/chain`);
  const found = packages.find((/** @type {any} */ each) => each.type === type);
  expect(found !== undefined, `there is no ${type}: ${JSON.stringify(packages)}`);
  return baton.call('GET', `/api/packages/${found.id}`);
}

/** The results of Baton's tools that the model received, in order. */
const resultsFor = (/** @type {Scene} */ { model, session }) =>
  model.turnsOf(session).flatMap(({ toolResult, body }) => {
    const block = [body.messages.at(-1)?.content]
      .flat()
      .find((/** @type {any} */ each) => each?.type === 'tool_result');
    return toolResult === null || /ToolSearch/.test(JSON.stringify(body.messages.at(-2)))
      ? []
      : [{ text: toolResult, isError: block?.is_error === true }];
  });

const linesOf = (/** @type {Scene} */ { baton }, /** @type {string} */ file) =>
  existsSync(join(baton.user, file))
    ? readFileSync(join(baton.user, file), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/** @type {Record<string, (scene: Scene) => unknown>} */
const CASES = {
  tools_listed_to_the_model: async ({ model, session }) => {
    const { PACKAGE_TOOLS } = await importSource('contract/packages/package-tools.ts');
    const shown = JSON.stringify(model.turnsOf(session).find(isAnnouncement)?.body ?? '');
    const names = [...new Set(shown.match(/mcp__baton__\w+/g))].map((name) => name.slice(TOOL.length)).sort();
    expect(JSON.stringify(names) === JSON.stringify([...PACKAGE_TOOLS].sort()), `listed: ${names}`);
    expect(!names.some((name) => /decide|approve/.test(name)), `a tool decides: ${names}`);
  },

  schemas_given_to_the_model: async ({ model, session }) => {
    const { toolSchema } = await importSource('contract/packages/package-tools.ts');
    const tools = model.turnsOf(session).at(-1)?.body.tools ?? [];
    for (const name of LOADED) {
      const shown = tools.find((/** @type {any} */ tool) => tool.name === `${TOOL}${name}`)?.input_schema;
      expect(isDeepStrictEqual(shown, toolSchema(name)), `${name} is shown as ${JSON.stringify(shown)?.slice(0, 300)}`);
    }
  },

  instructions_given_to_the_model: async ({ model, session }) => {
    const { TOOL_INSTRUCTIONS } = await importSource('contract/packages/package-tools.ts');
    const shown = JSON.stringify(model.turnsOf(session).find(isAnnouncement)?.body ?? '');
    expect(shown.includes(JSON.stringify(TOOL_INSTRUCTIONS).slice(1, -1)), 'nobody told it');
  },

  announced_once_and_at_rest: (scene) => {
    const { model, session } = scene;
    const asked = model.turnsOf(session).filter(isAnnouncement);
    const submitted = linesOf(scene, 'submissions.jsonl').filter(({ prompt }) => /^Baton: package/.test(prompt));
    expect(submitted.length === 1 && asked.length === 1, `submitted ${submitted.length}, asked ${asked.length}`);
    const before = asked[0]?.body.messages.findLast((/** @type {any} */ { role }) => role === 'assistant');
    expect(/Heard \d+ characters/.test(JSON.stringify(before)), 'not behind the whole turn before');
    expect(
      model.requests.every(({ aborted }) => !aborted),
      'a turn was broken off',
    );
  },

  received: (scene) => {
    const [first] = resultsFor(scene);
    expect(first !== undefined && !first.isError, JSON.stringify(first));
    expect(first?.text.includes('Accept it with handoff_ack'), `the model was told: ${first?.text}`);
  },

  bad_acknowledgement_told_to_the_model: (scene) => {
    const told = resultsFor(scene)[1];
    expect(told?.isError === true, JSON.stringify(told));
    expect(told?.text.includes('Restate the task'), `the model was told: ${told?.text}`);
    expect(told?.text.includes('Example:'), `no way out: ${told?.text}`);
  },

  acknowledged: async (scene) => {
    const { accepted_at, lineage } = await packageOf(scene, 'delegation');
    expect(accepted_at !== null && lineage.parent === scene.root.id, 'not taken');
  },

  restated: async (scene) => {
    const { acknowledgement } = await packageOf(scene, 'delegation');
    expect(acknowledgement?.task === TASK, JSON.stringify(acknowledgement));
  },

  returned_with_results: async (scene) => {
    const back = await packageOf(scene, 'return');
    const { state, results, owner } = await packageOf(scene, 'delegation');
    expect(back.from === RECEIVER && back.to === CALLER && back.state === 'completed', JSON.stringify(back));
    expect(state === 'completed' && owner === 'sender', `the delegation is ${state}, owned by the ${owner}`);
    expect(results.length === 1 && results[0].evidence === EVIDENCE, JSON.stringify(results));
  },

  caller_completed: async (scene) => {
    const { state, results } = await packageOf(scene, 'sequential');
    expect(state === 'completed' && results.length === 1, `it is ${state} with ${JSON.stringify(results)}`);
  },

  through_the_tools_alone: (scene) => {
    const used = linesOf(scene, 'tools.jsonl').map(({ tool_name }) => tool_name.replace(TOOL, ''));
    const wanted = ['ToolSearch', 'handoff_receive', 'handoff_ack', 'handoff_ack', 'handoff_return'];
    expect(JSON.stringify(used) === JSON.stringify(wanted), `used: ${used}`);
  },

  no_permission_dialog: async (scene) => {
    const asked = linesOf(scene, 'permissions.jsonl');
    expect(asked.length === 0, `asked for: ${JSON.stringify(asked)}`);
    const { events = [] } = await scene.baton.call('GET', '/api/events?limit=1000');
    const stood = events.filter(
      (/** @type {any} */ { type, agent_id }) => agent_id === scene.samId && /asking|awaiting/.test(type),
    );
    expect(stood.length === 0, JSON.stringify(stood));
  },

  token_in_the_environment_alone: async ({ baton, session, samId }) => {
    const folder = join(baton.home, 'agents', String(samId));
    const token = createHmac('sha256', readFileSync(join(baton.home, 'secret'), 'utf8').trim())
      .update(session)
      .digest('hex');
    const config = readFileSync(join(folder, 'mcp.json'), 'utf8');
    expect(!config.includes(token), 'the configuration holds the token');
    expect((statSync(join(folder, 'mcp.json')).mode & 0o777) === 0o600, 'others may read the configuration');
    const lines = commandLines();
    expect(
      lines.some((line) => /\bmcp\b/.test(line) && line.includes('baton.js')),
      'no server of tools runs',
    );
    expect(
      lines.every((line) => !line.includes(token)),
      'a command line shows the token',
    );
  },

  /** This case must be the last one, because `/clear` begins another session. */
  instructions_again_after_clear: async ({ baton, model, samId, sam }) => {
    const { TOOL_INSTRUCTIONS } = await importSource('contract/packages/package-tools.ts');
    await baton.type(await sam(), '/clear');
    await baton.press(await sam(), 'Enter');
    const isEmpty = (/** @type {string} */ screen) => !screen.includes('It is given back.');
    await until('an empty screen', async () => baton.screen(await sam()), isEmpty);
    await baton.agentWhen(samId, isIdle, PATIENCE_MS);
    const told = await baton.say(samId, 'What did I say before?');
    expect(told.verdict === 'accepted', JSON.stringify(told));
    const isFirst = (/** @type {Asked} */ { prompt, body }) =>
      prompt.startsWith('What did I say before?') && (body.tools ?? []).length > 0;
    const asked = await until('its turn', async () => model.requests.find(isFirst), Boolean);
    const shown = JSON.stringify(asked.body);
    expect(!shown.includes('Say many words'), 'it is the same conversation');
    expect(shown.includes(JSON.stringify(TOOL_INSTRUCTIONS).slice(1, -1)), 'nobody told it');
  },
};

/** The command lines of all processes, as every user of this machine can read them. */
function commandLines() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    });
}
