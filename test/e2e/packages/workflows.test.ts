import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { SealedPackage } from '../../../src/contract/packages/package.ts';
import type { WorkflowView } from '../../../src/contract/packages/workflow.ts';
import type { Agent, Persona } from '../../../src/contract/resources.ts';
import { full } from '../../surfaces/http/packages/package-scene.ts';
import { PackageProcess, type Told } from './package-process.ts';

/** Tests workflow steps in the real product, with real processes, tmux, store and files. */
let scene: PackageProcess;
beforeAll(async () => {
  scene = await new PackageProcess().begin();
  mkdirSync(join(scene.projectPath, '.project'));
});
afterAll(() => scene.baton.cleanUp());

const file = () => join(scene.projectPath, '.project/workflow.yaml');
const CON = 'developer-con-1';

/** Writes a workflow whose second step belongs to a new persona. No agent has this persona yet. */
async function toNewPersona(name: string): Promise<string> {
  const { body } = await scene.baton.call<Persona>('POST', '/api/personas/register', { role: 'tester', name });
  const steps = [
    { step: 'build', persona: CON },
    { step: 'test', persona: body.slug, deliverable: 'A test for each of the 12 endpoints' },
  ];
  writeFileSync(file(), stringify({ workflow: { name: 'feature', steps } }));
  return body.slug;
}

const pass = () => ({
  from: { agent: CON },
  to: { reason: 'The endpoints are built' },
  context: {
    summary: 'The 12 endpoints of docs/api.md are built',
    artifacts: [{ path: 'docs/api.md', type: 'spec', description: 'The API', role: 'referenced' }],
    decisions: [],
    open_questions: [],
  },
});

/**
 * Waits until the server has answered the call or has ended. A server that is killed during the call often sends no
 * answer.
 */
const answeredOrKilled = (call: Promise<unknown>) => Promise.race([call.catch(() => undefined), scene.baton.ended()]);

const wearing = async (slug: string): Promise<readonly Agent[]> =>
  (await scene.baton.get<{ agents: Agent[] }>('/api/agents')).agents.filter(({ persona }) => persona?.slug === slug);
const started = async (slug: string): Promise<Agent> => {
  await expect.poll(() => wearing(slug)).toHaveLength(1);
  const [agent] = await wearing(slug);
  return scene.baton.ready(agent?.id ?? 0, true);
};
const packages = async (): Promise<readonly Told[]> =>
  (await scene.call<{ packages: Told[] }>('operator', 'GET', '')).body.packages;
const continuations = async () => (await packages()).filter(({ type }) => type === 'continuation');

describe('a workflow that names an unknown persona', () => {
  it('`baton workflow check` and `baton workflow show` name each step whose persona does not exist', async () => {
    const steps = [
      { step: 'build', persona: CON },
      { step: 'test', persona: 'tester-nobody-9' },
    ];
    writeFileSync(file(), stringify({ workflow: { name: 'feature', steps } }));
    for (const words of [
      ['check', file()],
      ['show', scene.projectPath],
    ]) {
      const { code, stdout } = await scene.cli('operator', 'workflow', ...words);
      expect(code).toBe(0);
      expect(stdout).toContain('Step test: there is no persona or role tester-nobody-9.');
      expect(stdout).not.toContain('Step build:');
    }
  });
});

describe('a workflow of two steps', () => {
  it('[package P28] [package P30] for the second workflow step, Baton starts an agent and announces the package to it', async () => {
    const slug = await toNewPersona('Eve');
    expect((await scene.cli('operator', 'workflow', 'check', file())).stdout).toContain('is valid');
    const made = await scene.cli(scene.con, 'package', 'create', scene.file('p.yaml', { handoff: pass() }), '--json');
    expect([made.stderr, made.code]).toEqual(['', 0]);
    const told = JSON.parse(made.stdout) as Told;
    expect([told.type, told.to]).toEqual(['sequential', slug]);
    const eve = await started(slug);
    await expect
      .poll(() => JSON.stringify(scene.baton.evidence(eve.id).filter(({ type }) => type === 'submitted')))
      .toContain(`baton package receive ${told.id}`);
    const got = await scene.call<{ package: Told; report: { blocked: boolean } }>(
      eve,
      'POST',
      `/${told.id}/receive`,
      {},
    );
    expect(got.body.report.blocked).toBe(false);
    const { body } = await scene.call(eve, 'POST', `/${told.id}/ack`, full('Test the 12 endpoints'));
    expect([body.state, body.owner]).toEqual(['accepted', 'receiver']);
    const shown = await scene.cli('operator', 'workflow', 'show', scene.projectPath, '--json');
    const view = JSON.parse(shown.stdout) as WorkflowView;
    expect(view.chains.find(({ root }) => root === told.id)).toMatchObject({ current_step: 'test', agent: slug });
    expect(await wearing(slug)).toHaveLength(1);
  });

  it.each([
    'commit:after',
    'receiver:started',
    'launch_agent:claimed',
    'launch_agent:performed',
    'launch_agent:committed',
  ])(
    '[F1] [package P30] if Baton is killed at %s, exactly one agent of the second workflow step starts',
    async (point) => {
      const slug = await toNewPersona(`Kay ${point}`.replaceAll(/[^A-Za-z ]/g, ' '));
      await scene.baton.kill('SIGTERM');
      const armed = join(scene.baton.home, 'crash-at');
      await scene.baton.start({ BATON_CRASH_AT: armed });
      writeFileSync(armed, point);
      await answeredOrKilled(scene.create(pass()));
      expect(await scene.baton.ended()).toBe('SIGKILL');
      rmSync(armed, { force: true });
      await scene.baton.start();
      const sent = (await packages()).filter(({ to }) => to === slug);
      // The server is killed after the transaction is committed, so the package exists even if its sender got no
      // answer.
      expect(sent).toHaveLength(1);
      const agent = await started(slug);
      const again = await scene.baton.call<{ written: number }>('POST', '/api/packages/rebuild', {});
      expect(again.status).toBe(200);
      expect(await wearing(slug)).toHaveLength(1);
      const { events } = await scene.baton.get<{ events: { agent_id: number }[] }>(
        '/api/events?type=package_receiver_started&limit=1000',
      );
      expect(events.filter(({ agent_id }) => agent_id === agent.id)).toHaveLength(1);
    },
  );

  it('[package P27] [T11] a workflow file that is a symbolic link is refused', async () => {
    rmSync(file());
    symlinkSync('/etc/passwd', file());
    const refused = await scene.create(pass());
    expect(refused.body).toMatchObject({ code: 'workflow_unusable', error: expect.stringContaining('it is a link') });
    expect(JSON.stringify(refused.body)).not.toContain('root:');
    rmSync(file());
    writeFileSync(
      file(),
      'workflow:\n  name: w\n  steps:\n    - step: 1\n      agent: a\n    - step: 1\n      agent: b\n',
    );
    expect((await scene.create(pass())).body.error).toContain('line 6: This step is listed twice.');
    const checked = await scene.cli('operator', 'workflow', 'check', file(), '--json');
    expect([checked.code, JSON.parse(checked.stdout).problem.line]).toEqual([1, 6]);
    expect((await scene.cli('operator', 'workflow', 'show', scene.projectPath)).stdout).toContain('line 6');
    rmSync(file());
  });
});

describe('the continuation package of a handoff', () => {
  async function handOver(): Promise<Agent> {
    const agent = await scene.baton.agent();
    await answeredOrKilled(scene.baton.call('POST', `/api/agents/${agent.id}/handoff`, { reason: 'task_boundary' }));
    return agent;
  }
  const completed = async (agent: Agent) => {
    await expect
      .poll(async () => (await continuations()).filter(({ from }) => from === agent.persona?.slug))
      .toMatchObject([{ state: 'completed' }]);
    const [row] = (await continuations()).filter(({ from }) => from === agent.persona?.slug);
    return (await scene.call('operator', 'GET', `/${row?.id}`)).body;
  };

  it('[package P25] a handoff creates exactly one continuation package', async () => {
    const agent = await handOver();
    const told = await completed(agent);
    const sealed = SealedPackage.parse(told.package);
    const [document] = sealed.context.artifacts ?? [];
    const run = await scene.baton.over(told.run_id ?? 0);
    expect([document?.path, document?.sha256]).toEqual([run.document?.path, run.document?.sha256]);
    expect([sealed.reason_code, sealed.from.session]).toEqual(['task_boundary', agent.session_uuid]);
    // [D2] The handoff itself must not have written anything into the project.
    expect(existsSync(join(agent.project?.path ?? '', '.project'))).toBe(false);
    mkdirSync(join(agent.project?.path ?? '', '.project'));
    await scene.baton.call('POST', '/api/packages/rebuild', {});
    const archive = join(agent.project?.path ?? '', '.project/07-audit/sessions', agent.session_uuid, 'handoffs');
    const read = () =>
      readdirSync(archive)
        .sort()
        .map((name) => [name, readFileSync(join(archive, name), 'utf8')] as const);
    const before = read();
    expect(before.map(([name]) => name)).toEqual([`${told.id}.ack.yaml`, `${told.id}.record.yaml`, `${told.id}.yaml`]);
    expect(parse(before[2]?.[1] ?? '').handoff.id).toBe(told.id);
    expect((await scene.cli('operator', 'lint', join(archive, `${told.id}.yaml`))).code).toBe(0);
    for (const [name] of before) rmSync(join(archive, name));
    expect((await scene.cli('operator', 'rebuild')).stdout).toContain('3 files written');
    expect(read()).toEqual(before);
    expect((await scene.cli('operator', 'package', 'list')).stdout).toMatch(new RegExp(`${told.id}.*continuation`));
    const chain = await scene.cli('operator', 'package', 'chain', told.id);
    expect(chain.stdout).toContain(told.id);
  });

  it.each(['continuation:kept', 'continuation:kept#2', 'continuation:kept#4'])(
    '[F1] [package P25] if Baton is killed at %s, a handoff creates exactly one continuation package',
    async (point) => {
      await scene.baton.kill('SIGTERM');
      const armed = join(scene.baton.home, 'crash-at');
      await scene.baton.start({ BATON_CRASH_AT: armed });
      writeFileSync(armed, point);
      const agent = await handOver();
      expect(await scene.baton.ended()).toBe('SIGKILL');
      rmSync(armed, { force: true });
      await scene.baton.start();
      await completed(agent);
    },
  );
});
