import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { afterAll, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../src/adapters/stores/sqlite/migrate.ts';
import type { PackageRow } from '../../../src/contract/packages/package-resources.ts';
import type { Agent, InboxItem, Run } from '../../../src/contract/resources.ts';
import { PackageProcess } from '../../e2e/packages/package-process.ts';
import { OLD_BUILD, PROGRAM, run as shell } from '../../support/baton-process.ts';
import { needs } from '../../support/needs.ts';
import { full, returnPackage } from '../../surfaces/http/packages/package-scene.ts';
import { dumpStore } from './dump-store.ts';
import { makeOldHome, type OldHome, question } from './old-home.ts';

/**
 * Upgrades a home that a real Baton 0.1.0 made, while the agents of this home are still running. BATON_OLD_BUILD is the
 * path of dist/main/baton.js in a build of 0.1.0. To make this build, run `git worktree add --detach ../old b950935`
 * and then run `node scripts/build.mjs` in ../old. With BATON_RECORD=1, the test also writes the fixture of
 * test/adapters/stores/home-of-0.1.0.test.ts again.
 */
const OLD_SCHEMA = 16;
const FIXTURE = fileURLToPath(new URL('../../fixtures/home-0.1.0/store.sql', import.meta.url));
const BUILD_OF_0_1_0 = {
  what: 'a build of 0.1.0 (BATON_OLD_BUILD names its dist/main/baton.js)',
  isThere: OLD_BUILD !== undefined,
};

const scene = new PackageProcess();
const { baton } = scene;
afterAll(() => baton.cleanUp());

const version = (path: string): unknown => {
  const db = new Database(path, { readonly: true });
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number };
  db.close();
  return row.user_version;
};

it('[F49] after the upgrade, each unfinished handoff in a home of Baton 0.1.0 either completes or halts with an inbox item', {
  timeout: 3_000_000,
  ...needs(BUILD_OF_0_1_0),
}, async () => {
  const { packages, awaitingDocument, awaitingReview, awaitingIdle } = await makeOldHome(scene, OLD_BUILD ?? '');
  const before = (await baton.get<{ agents: Agent[] }>('/api/agents')).agents;
  await baton.kill();
  const store = join(baton.home, 'baton.db');
  expect(version(store)).toBe(OLD_SCHEMA);
  if (process.env.BATON_RECORD) writeFileSync(FIXTURE, dumpStore(store));
  // Kill the tmux session of the agent that is still working. The new Baton must halt the handoff of this agent visibly.
  const socket = ['-S', join(baton.home, 'tmux.sock')];
  await shell('tmux', [...socket, 'kill-session', '-t', awaitingIdle.agent.tmux.session]);

  baton.program = PROGRAM;
  await baton.start();
  expect([version(store), version(`${store}.schema-${OLD_SCHEMA}`)]).toEqual([MIGRATIONS.length, OLD_SCHEMA]);
  const after = (await baton.get<{ agents: Agent[] }>('/api/agents')).agents;
  expect(after.map(identityOf)).toEqual(before.map(identityOf));
  await packagesComplete(packages);

  const { id } = await question(baton, awaitingDocument.agent.id);
  await baton.call('POST', `/api/agents/${awaitingDocument.agent.id}/answer`, { question: id, choice: 1 });
  await baton.call('POST', `/api/runs/${awaitingReview.runId}/approve`, {});
  for (const { runId } of [awaitingDocument, awaitingReview]) {
    const run = await baton.over(runId);
    expect(run, run.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true });
  }
  const halted = await baton.over(awaitingIdle.runId);
  expect([halted.step, halted.failure?.sentence]).toEqual(['failed', expect.stringMatching(/\.$/)]);
  const { items } = await baton.get<{ items: InboxItem[] }>('/api/inbox');
  expect(items.map(({ run_id }) => run_id)).toContain(halted.id);
  const { runs } = await baton.get<{ runs: Run[] }>('/api/runs');
  expect(runs).toHaveLength(3);
});

const identityOf = ({ id, session_uuid, persona, tmux }: Agent) => ({ id, session_uuid, persona, pane: tmux.pane });

/** Checks that the agents of 0.1.0 can use their old tokens to continue their packages in the new Baton. */
async function packagesComplete(packages: OldHome['packages']): Promise<void> {
  const { con, ann } = scene;
  const stateOf = async (id: string) => (await scene.call('operator', 'GET', `/${id}`)).body.state;
  const states = Object.entries(packages).map(async ([old, id]) => [old, await stateOf(id)] as const);
  expect(Object.fromEntries(await Promise.all(states))).toEqual({
    draft: 'draft',
    pending: 'pending',
    delivered: 'pending',
    awaiting_human: 'pending',
    clarifying: 'clarifying',
    accepted: 'accepted',
    returned: 'pending',
    completed: 'completed',
    decided: 'completed',
    rejected: 'rejected',
    cancelled: 'cancelled',
  });
  const post = async (by: Agent | 'operator', id: string, verb: string, body: object = {}) => {
    const answer = await scene.call(by, 'POST', `/${id}/${verb}`, body);
    expect(answer.status, `${verb} ${id}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  };
  const results = [{ id: 'C-001', result: 'pass', evidence: '2 of 2 addressed' }];
  const complete = async (id: string) => {
    await post(ann, id, 'return', { package: returnPackage() });
    await post(ann, id, 'complete', { results });
  };
  const [asked] = (await scene.call(con, 'GET', `/${packages.clarifying}`)).body.questions;
  await post(con, packages.clarifying, 'answer', { answers: [{ id: asked?.id, text: 'The public one' }] });
  await post(con, packages.draft, 'seal');
  // Read the delivered package again, because 0.1.0 did not store which revision an agent had read.
  for (const id of [packages.clarifying, packages.draft, packages.pending, packages.delivered]) {
    await post(ann, id, 'receive');
    await post(ann, id, 'ack', full());
    await complete(id);
  }
  await complete(packages.accepted);
  await post(con, packages.returned, 'receive');
  const { seen } = (await scene.call('operator', 'GET', `/${packages.awaiting_human}`)).body;
  await post('operator', packages.awaiting_human, 'decide', { option: 'approve', seen });

  const { body } = await scene.call<{ packages: PackageRow[] }>('operator', 'GET', '?open=1');
  const open = body.packages.filter(({ id }) => Object.values(packages).includes(id));
  expect(open.map(({ id, state }) => [id, state])).toEqual([]);
}
