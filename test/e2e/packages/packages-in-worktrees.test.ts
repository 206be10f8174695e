import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PackageReport, ReceivedPackage } from '../../../src/contract/packages/package-resources.ts';
import type { Agent } from '../../../src/contract/resources.ts';
import { delegation, full, gatePackage, returnPackage } from '../../surfaces/http/packages/package-scene.ts';
import { PackageProcess, type Told } from './package-process.ts';

/**
 * Tests packages between worktrees, with the real server and git. The agents Con and Ann work in the project's own
 * folder, not in a worktree.
 */
let scene: PackageProcess;
let wil: Agent;
let zoe: Agent;

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
    stdio: 'pipe',
  }).trim();

beforeAll(async () => {
  scene = await new PackageProcess().begin();
  git(scene.projectPath, 'init', '-q', '-b', 'main');
  git(scene.projectPath, 'add', '-A');
  git(scene.projectPath, 'commit', '-qm', 'first');
  wil = await scene.addAgent('developer', 'Wil', { worktree: 'wil' });
  zoe = await scene.addAgent('reviewer', 'Zoe', { worktree: 'zoe' });
});
afterAll(() => scene.baton.cleanUp());

const FILE = 'docs/plan.md';
const context = (path = FILE) => ({
  summary: `The plan is written in ${path}: 3 steps, 2 risks.`,
  artifacts: [{ path, type: 'spec', description: 'The plan', role: 'created' }],
  open_questions: [],
});
const fromWil = (over: object = {}) =>
  delegation({
    from: { agent: 'developer-wil-3' },
    to: { agent: 'reviewer-zoe-4', reason: 'A second look at the plan' },
    context: context(),
    ...over,
  });
const write = (folder: string, text: string, path = FILE): void => {
  mkdirSync(join(folder, 'docs'), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const receive = async (by: Agent, id: string) =>
  (await scene.call<ReceivedPackage>(by, 'POST', `/${id}/receive`, {})).body;
const rules = ({ report }: ReceivedPackage) => report.findings.map(({ rule }) => rule);

describe('[package P32] the artifacts of an agent in a worktree', () => {
  it('an artifact in a worktree is sealed with its content in that worktree', async () => {
    write(wil.folder, 'three steps\n');
    expect(existsSync(join(scene.projectPath, FILE))).toBe(false);
    const { status, body } = await scene.create(fromWil(), wil);
    expect([body.error, status]).toEqual([undefined, 201]);
    expect(body.package).toMatchObject({ repo: { branch: 'baton/wil', untracked: 1 } });
  });

  it('if the folder of a receiver lacks the artifacts, the receiver is told that the artifacts are missing in this folder', async () => {
    write(wil.folder, 'three steps\n');
    const { body: made } = await scene.create(fromWil(), wil);
    const got = await receive(zoe, made.id);
    expect(rules(got)).toEqual(['HP907']);
    expect(got.report).toMatchObject({ blocked: false, unusable: [], folder: wil.folder });
    expect(got.report.findings[0]?.message).toContain(`${wil.folder}, on the branch baton/wil`);
    const { body } = await scene.call(zoe, 'POST', `/${made.id}/ack`, full());
    expect([body.error, body.state]).toEqual([undefined, 'accepted']);
  });

  it('if the folder of a receiver has the merged artifacts, the receiver is told that no artifact is missing', async () => {
    write(wil.folder, 'merged\n', 'docs/merged.md');
    git(wil.folder, 'add', 'docs/merged.md');
    git(wil.folder, 'commit', '-qm', 'merged');
    git(zoe.folder, 'merge', '-q', 'baton/wil');
    const { body: made } = await scene.create(fromWil({ context: context('docs/merged.md') }), wil);
    expect(rules(await receive(zoe, made.id))).toEqual([]);
    write(wil.folder, 'changed\n', 'docs/merged.md');
    expect(rules(await receive(zoe, made.id))).toEqual(['HP902', 'HP907']);
  });

  it('if an artifact in the worktree changed after the person saw the gate, a decision about the gate is refused', async () => {
    write(wil.folder, 'four steps\n');
    const gate = gatePackage({ from: { agent: 'developer-wil-3' }, context: context() });
    const { body: made } = await scene.create(gate, wil);
    expect([made.error, made.state]).toEqual([undefined, 'pending']);
    write(wil.folder, 'five steps\n');
    const decide = (seen: string | null) =>
      scene.call('operator', 'POST', `/${made.id}/decide`, { option: 'reject', reason: 'Add a sixth step', seen });
    expect((await decide(made.seen)).body.code).toBe('stale_content');
    const shown = (await scene.call('operator', 'GET', `/${made.id}`)).body;
    const report = await scene.call<PackageReport>('operator', 'GET', `/${made.id}/report`);
    expect(report.body).toMatchObject({ folder: wil.folder, blocked: true });
    expect((await decide(shown.seen)).body.state).toBe('rejected');
  });

  it('an agent in a worktree can use files of the package archive as artifacts', async () => {
    write(wil.folder, 'three steps\n');
    const { body: first } = await scene.create(fromWil(), wil);
    await scene.call('operator', 'POST', '/rebuild', {});
    const { body } = await scene.create(fromWil({ context: context(first.archive ?? '') }), wil);
    expect(body.error).toBeUndefined();
  });
});

it("[package P15] if an agent accepted a package, the agent's successor can complete the package", async () => {
  write(wil.folder, 'six steps\n');
  const { body: made } = await scene.create(fromWil(), wil);
  await receive(zoe, made.id);
  await scene.call(zoe, 'POST', `/${made.id}/ack`, full());
  const { body } = await scene.baton.call<{ run_id: number }>('POST', `/api/agents/${zoe.id}/handoff`, {});
  const over = await scene.baton.over(body.run_id);
  const next = await scene.baton.get<Agent>(`/api/agents/${over.successor_agent_id}`);
  expect(next.folder).toBe(zoe.folder);
  const waiting = (await scene.call<{ packages: Told[] }>(next, 'GET', '?box=inbox')).body.packages;
  expect(waiting.map(({ id }) => id)).toContain(made.id);
  write(next.folder, 'two risks\n', 'docs/review.md');
  const back = returnPackage({
    from: { agent: 'reviewer-zoe-4' },
    to: { agent: 'developer-wil-3', reason: 'The plan was read' },
    context: { ...context('docs/review.md'), summary: '2 risks found in the plan, see docs/review.md.' },
  });
  const results = [{ id: 'C-001', result: 'pass', evidence: 'docs/review.md' }];
  const late = await scene.call(zoe, 'POST', `/${made.id}/return`, { package: back });
  expect(late.status).toBeGreaterThanOrEqual(400);
  const returned = await scene.call(next, 'POST', `/${made.id}/return`, { package: back });
  expect([returned.body.error, returned.status]).toEqual([undefined, 201]);
  const done = await scene.call(next, 'POST', `/${made.id}/complete`, { results });
  expect([done.body.error, done.body.state]).toEqual([undefined, 'completed']);
  expect(rules(await receive(wil, returned.body.id))).toEqual(['HP907']);
  const rebuilt = await scene.call<{ mended: number }>('operator', 'POST', '/rebuild', {});
  expect(rebuilt.body.mended).toBe(0);
});
