import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { makePackages } from './package-scene.mjs';
import { makeWorktrees } from './worktree-scene.mjs';

/** @typedef {import('../bench/baton-server.mjs').BatonServer} BatonServer */

const STEP = 'Do the next step of PLAN.md.';
/**
 * Prompts so long that a card shows only their beginning. The directive for the practice agent comes after this text, so
 * the card does not show the directive.
 */
const REVIEW =
  'Review the retry of payments in src/payments: look for a card that could be charged twice, run all the tests, and write down what each provider answers after a timeout.';
const PUBLISH =
  'Publish the guide to the docs site, and announce it in the release notes with a link to each of the chapters about refunds, retries and error codes.';
const LESSON =
  'The provider answers a retry within 2 seconds with the same order number, so wait before the second try.';
const OTHER_LESSON = 'npm test needs the variable PROVIDER_KEY; without it 4 tests are skipped in silence.';
const PLAN = [
  '# Plan',
  '- [ ] Reject a card whose date is over',
  '- [ ] Retry a payment that timed out, once',
  '- [ ] Say in the log which provider answered',
  '- [ ] Test the refund of a split payment',
  '- [ ] Document the new error codes',
  '',
].join('\n');
const MAX_WAIT_MS = 90_000;

/**
 * Makes six agents in two projects, in the states that an operator sees on an ordinary day.
 * @param {BatonServer} baton
 * @returns {Promise<Record<string, string>>} page name → address
 */
export async function makeScene(baton) {
  const robin = await start(baton, 'checkout-service', 'backend developer', 'Robin', {
    contextWindow: 9_000,
    thinkMs: 30,
  });
  const ada = await start(baton, 'checkout-service', 'reviewer', 'Ada', { thinkMs: 30 });
  // Give the agent without a persona the same small context window as the agent Robin. All practice agents of a project
  // share one settings file, so another value here would change the window of Robin's successor.
  const nobody = await start(baton, 'checkout-service', null, null, { contextWindow: 9_000, thinkMs: 30 });
  const juno = await start(baton, 'docs-site', 'technical writer', 'Juno', { thinkMs: 30 });
  const kit = await start(baton, 'docs-site', 'release engineer', 'Kit', { handoff: 'ignore', thinkMs: 30 });
  const mira = await start(baton, 'docs-site', 'designer', 'Mira', { thinkMs: 30 });
  await say(baton, ada.id, `${REVIEW} [[practice:slow 3600000]]`);
  await say(baton, robin.id, `[[practice:lesson ${LESSON}]] [[practice:lesson ${OTHER_LESSON}]]`);
  await fill(baton, robin.id);
  const first = await handOver(baton, robin.id, { note: 'The provider is down from 14:00 to 15:00.' });
  await fill(baton, first.successor_agent_id);
  const failed = await handOver(baton, kit.id, {});
  await work(baton, mira.id);
  const review = await handOver(baton, mira.id, { reason: 'shift_end', review: true });
  await ask(baton, juno.id, `${PUBLISH} [[practice:dialog Bash(npm run publish)]]`);
  await say(baton, nobody.id, 'Which tests are slow?');
  const successor = await baton.call(`/api/agents/${first.successor_agent_id}`);
  const packages = await makePackages(baton, successor, ada, until);
  await makeWorktrees(baton, successor.project.id, until);
  return {
    agents: '/',
    inbox: '/inbox',
    runs: '/runs',
    run: `/runs/${first.id}`,
    'run-failed': `/runs/${failed.id}`,
    'run-review': `/runs/${review.id}`,
    agent: `/agents/${first.successor_agent_id}`,
    'agent-asking': `/agents/${juno.id}`,
    'agent-ended': `/agents/${robin.id}`,
    'agent-unknown': '/agents/999',
    ...packages,
    'package-new': '/packages/new',
    workflows: '/packages/workflows',
    more: '/more',
    worktrees: '/worktrees',
    personas: '/personas',
    persona: `/personas/${robin.persona.slug}`,
    lineage: `/personas/${robin.persona.slug}/lineage`,
    activity: '/activity',
    settings: '/settings',
  };
}

/** Starts one agent that does one step of its plan. @param {BatonServer} baton */
export async function startOne(baton) {
  const agent = await start(baton, 'search-index', 'data engineer', 'Noa', { thinkMs: 30 });
  await work(baton, agent.id);
  return agent;
}

const NAMES = ['Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Hana', 'Ivo', 'Jon', 'Kai', 'Lea', 'Max', 'Nils', 'Olga'];
const ROLES = ['frontend developer', 'tester', 'database engineer', 'technical writer', 'release engineer'];
const PROJECTS = ['checkout-service', 'docs-site', 'mobile-app', 'search-index'];

/**
 * Starts agents until the wanted number of agents is live. Some of them have done a step, some ask a question, and some
 * are working.
 *
 * @param {BatonServer} baton
 * @param {number} wanted
 */
export async function addAgents(baton, wanted) {
  const { agents } = await baton.call('/api/agents');
  const live = agents.filter((/** @type {{ ended_at: string | null }} */ agent) => agent.ended_at === null).length;
  for (let n = live; n < wanted; n++) {
    const name = `${NAMES[n % NAMES.length]}${n < NAMES.length ? '' : ` ${Math.floor(n / NAMES.length) + 1}`}`;
    const agent = await start(baton, PROJECTS[n % 4] ?? '', ROLES[n % 5] ?? '', name, { thinkMs: 30 });
    if (n % 11 === 0) await ask(baton, agent.id, 'Free some space. [[practice:dialog Bash(rm -rf build)]]');
    else if (n % 5 === 0) await say(baton, agent.id, `${REVIEW} [[practice:slow 3600000]]`);
    else if (n % 3 !== 0) await work(baton, agent.id);
  }
}

/**
 * @param {BatonServer} baton
 * @param {number} id
 * @param {string} text
 */
const say = (baton, id, text) => baton.call(`/api/agents/${id}/messages`, { text });

/**
 * @param {BatonServer} baton
 * @param {number} id
 * @param {string} text
 */
async function ask(baton, id, text) {
  await say(baton, id, text);
  await until(async () => (await baton.call(`/api/agents/${id}`)).question !== null);
}

/**
 * @param {BatonServer} baton
 * @param {string} name
 * @param {string | null} role
 * @param {string | null} persona
 * @param {object} behaviour
 */
async function start(baton, name, role, persona, behaviour) {
  const folder = join(baton.home, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'PLAN.md'), PLAN);
  writeFileSync(join(folder, '.practice.json'), JSON.stringify(behaviour));
  const identity = ['-c', 'user.name=Baton', '-c', 'user.email=baton@baton.invalid', '-c', 'init.defaultBranch=main'];
  for (const words of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'Plan'],
  ])
    spawnSync('git', [...identity, ...words], { cwd: folder });
  const project = await baton.call('/api/projects', { path: folder, name });
  const slug =
    persona === null ? undefined : (await baton.call('/api/personas/register', { role, name: persona })).slug;
  const agent = await baton.call('/api/agents', { project_id: project.id, ...(slug && { persona: slug }) });
  await until(async () => {
    const { state, skill_injected_at } = await baton.call(`/api/agents/${agent.id}`);
    return state === 'idle' && (slug === undefined || skill_injected_at !== null);
  });
  return agent;
}

/**
 * @param {BatonServer} baton
 * @param {number} id
 */
async function work(baton, id) {
  await say(baton, id, STEP);
  await until(async () => (await baton.call(`/api/agents/${id}`)).state === 'idle');
}

/**
 * Gives the agent work until the page offers a handoff.
 *
 * @param {BatonServer} baton
 * @param {number} id
 */
async function fill(baton, id) {
  await until(async () => (await baton.call(`/api/agents/${id}`)).state === 'idle');
  for (let n = 0; n < 6 && !(await baton.call(`/api/agents/${id}`)).handoff?.offered; n++) await work(baton, id);
}

/**
 * @param {BatonServer} baton
 * @param {number} id
 * @param {object} wish
 */
async function handOver(baton, id, wish) {
  const { run_id } = await baton.call(`/api/agents/${id}/handoff`, { reason: 'context_limit', ...wish });
  let run;
  await until(async () => {
    run = await baton.call(`/api/runs/${run_id}`);
    return run.over || (run.step === 'recorded' && run.review === 'wanted');
  });
  return /** @type {any} */ (run);
}

/** @param {() => Promise<boolean>} holds */
async function until(holds) {
  const end = Date.now() + MAX_WAIT_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('the scene was not ready in time');
    await pause(100);
  }
}
