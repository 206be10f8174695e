import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { announcePackages } from '../../../../src/app/packages/background/announce-packages.ts';
import { packagesFromLog } from '../../../../src/app/packages/background/rebuild-packages.ts';
import { startReceivers } from '../../../../src/app/packages/background/start-receivers.ts';
import { noteEndedSessions } from '../../../../src/app/packages/background/tick-packages.ts';
import { NO_FIELDS, newPackage } from '../../../../src/contract/packages/new-package.ts';
import type { WorkflowView } from '../../../../src/contract/packages/workflow.ts';
import type { Agent } from '../../../../src/domain/agents/agent.ts';
import { APART_FROM_WORKFLOW } from '../../../../src/domain/packages/content/package.ts';
import { type WorkflowGate, workflowOf } from '../../../../src/domain/workflows/workflow.ts';
import { type Detail, full, PackageScene } from './package-scene.ts';

/** In this workflow Con specifies, Ann builds and Eve reviews. No agent has Eve's persona. */
const CON = 'developer-con-1';
const ANN = 'reviewer-ann-2';
const EVE = 'reviewer-eve-3';
let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
  await scene.addPersona('Eve');
  use();
});
afterEach(() => scene.api.close());

const GATE: WorkflowGate = { type: 'blocking', name: 'Spec review', items: ['All endpoints are there'] };
function use(gate?: WorkflowGate): void {
  const steps = [
    { step: 'specify', persona: CON, gate },
    { step: 'build', agent: ANN, deliverable: 'The 12 endpoints, as docs/api.md has them' },
    { step: 'review', persona: EVE },
  ];
  scene.world.workflow = { kind: 'workflow', workflow: workflowOf({ name: 'feature', steps }) };
}

const pass = (from: string, over: object = {}) => ({
  from: { agent: from },
  to: { reason: 'The step is done' },
  context: {
    summary: 'Specification of 12 endpoints in docs/api.md',
    artifacts: [{ path: 'docs/api.md', type: 'spec', description: 'The API', role: 'referenced' }],
    decisions: [],
    open_questions: [],
  },
  ...over,
});
const code = ({ body }: { body: { code?: string } }) => body.code;
const errors = ({ body }: { body: Detail }) =>
  (body.findings ?? []).filter((each) => (each as { severity?: string }).severity === 'error').map(({ rule }) => rule);
const all = () => scene.world.ports.store.read((tx) => tx.packages({}));
const look = () => startReceivers(scene.world.ports);
const eves = (): readonly Agent[] =>
  scene.world.ports.store.read((tx) => tx.agents()).filter(({ personaId }) => personaId === 3);
const inbox = () => scene.world.ports.store.read((tx) => tx.openInboxItems()).map(({ sentence }) => sentence);
const standing = async (by: Agent | 'operator' = 'operator') =>
  (await scene.api.call<WorkflowView>('GET', '/api/projects/1/workflow', undefined, scene.as(by))).body;

/** Con sends the package of the next step to Ann, and Ann accepts it. */
async function built(): Promise<Detail> {
  const { body } = await scene.create(scene.con, pass(CON));
  return scene.accept(scene.ann, body.id);
}

async function decide(id: string, option: string, reason = ''): Promise<unknown> {
  const { body } = await scene.get('operator', `/${id}`);
  return scene.post('operator', `/${id}/decide`, { option, reason, seen: body.seen });
}

describe('the workflow of a project', () => {
  it('[004 Sequential (Workflow)] [package P28] a package without a receiver goes to the agent of the next workflow step', async () => {
    const { status, body } = await scene.create(scene.con, pass(CON));
    expect([status, body.type, body.to, body.state]).toEqual([201, 'sequential', ANN, 'pending']);
    expect(body.package).toMatchObject({
      to: { agent: ANN },
      expectations: { deliverable: 'The 12 endpoints, as docs/api.md has them' },
      workflow_state: { name: 'feature', current_step: 'build', completed_steps: ['specify'] },
    });
    const { body: got } = await scene.post<{ report: { blocked: boolean } }>(scene.ann, `/${body.id}/receive`);
    expect(got.report.blocked).toBe(false);
    expect(await standing(scene.ann)).toMatchObject({
      workflow: { name: 'feature' },
      problem: null,
      chains: [
        { root: body.id, package: body.id, current_step: 'build', agent: ANN, remaining_steps: ['build', 'review'] },
      ],
    });
  });

  it.each([
    ['to', { to: undefined }, 'In a workflow, `to: { reason: WHY }`'],
    ['the reason', { to: {} }, 'In a workflow, `to: { reason: WHY }`'],
    ['from', { from: undefined }, 'Write `from: { agent: NAME }`'],
    [
      'the deliverable',
      { expectations: { success_criteria: ['12 endpoints are tested'] } },
      'you can leave out the whole block `expectations`',
    ],
  ])(
    '[package P28] if a workflow package lacks %s, the refusal shows how to write the missing part',
    async (_what, over, how) => {
      const { status, body } = await scene.create(scene.con, pass(CON, over));
      expect([status, body.code]).toEqual([400, 'package_refused']);
      expect(body.hint).toContain(how);
    },
  );

  it('[package P28] when a draft without a receiver is sealed, the package goes to the agent of the next workflow step', async () => {
    const { body: draft } = await scene.create(scene.con, pass(CON), { seal: false });
    expect([draft.state, draft.to]).toEqual(['draft', ANN]);
    const { body } = await scene.post(scene.con, `/${draft.id}/seal`, {});
    expect([body.type, body.to, body.package.workflow_state]).toMatchObject([
      'sequential',
      ANN,
      { current_step: 'build' },
    ]);
    expect(scene.world.ports.store.read(packagesFromLog)).toEqual(all());
  });

  it("[package P3] a person's delegation to the agent of the first step does not begin the workflow", async () => {
    const expectations = { deliverable: 'Risk report on the 12 endpoints', success_criteria: ['3 risks are named'] };
    const apart = pass('human', { to: { agent: CON, reason: 'Con knows the API' }, expectations });
    const { body } = await scene.create('operator', apart, { project_id: 1 });
    expect([body.type, body.package.workflow_state]).toEqual(['delegation', undefined]);
    expect((await standing()).chains).toEqual([]);
    const begun = await scene.create('operator', { ...apart, type: 'sequential' }, { project_id: 1 });
    expect(begun.body.package.workflow_state).toMatchObject({ current_step: 'specify' });
    const unnamed = await scene.create('operator', pass('human', { expectations }), { project_id: 1 });
    expect([unnamed.body.type, unnamed.body.to]).toEqual(['sequential', CON]);
    expect((await standing()).chains.map(({ root }) => root)).toEqual([begun.body.id, unnamed.body.id]);
  });

  it('[package P28] a package that a person sends from the form on the page begins the workflow only if the person chooses so', async () => {
    const fields = {
      ...NO_FIELDS,
      ...{ reason: 'Con knows the API', summary: 'docs/api.md has 12 endpoints', deliverable: 'Risk report' },
    };
    const send = (to: string, beginsWorkflow: boolean) =>
      scene.create('operator', newPackage({ ...fields, to, beginsWorkflow }), { project_id: 1 });
    for (const to of [CON, ANN]) {
      const { body } = await send(to, false);
      expect([body.state, body.type, body.package.workflow_state]).toEqual(['pending', 'sequential', undefined]);
    }
    expect((await standing()).chains).toEqual([]);
    const begun = await send(CON, true);
    expect(begun.body.package.workflow_state).toMatchObject({ current_step: 'specify' });
    expect(errors(await send(ANN, true))).toEqual(['HP505']);
  });

  it('[package P28] the package field that keeps a package out of the workflow has no effect in a package from an agent', async () => {
    const { body } = await scene.create(scene.con, pass(CON, { extensions: APART_FROM_WORKFLOW }));
    expect([body.to, body.package.workflow_state]).toMatchObject([ANN, { current_step: 'build' }]);
  });

  it('[package P28] Baton checks the workflow state in a package against the log and reports a wrong state as an error', async () => {
    const said = (over: object) =>
      scene.create(
        scene.con,
        pass(CON, {
          workflow_state: {
            name: 'feature',
            current_step: 'build',
            completed_steps: ['specify'],
            remaining_steps: ['build', 'review'],
            ...over,
          },
        }),
      );
    expect(errors(await said({ completed_steps: [] }))).toEqual(['HP505']);
    expect(errors(await said({ name: 'other' }))).toEqual(['HP505']);
    expect(errors(await said({ current_step: 'review' }))).toEqual(['HP505']);
    expect(errors(await said({ remaining_steps: ['review', 'build'] }))).toEqual(['HP505']);
    expect((await said({ remaining_steps: ['review'], current_step: 2 })).status).toBe(201);
  });

  it('[004 Handoff Package Structure] [package P6] a package is accepted even if its field current_step names the step that the sender has just completed', async () => {
    const workflow_state = {
      name: 'feature',
      current_step: 'specify',
      completed_steps: ['specify'],
      remaining_steps: ['build', 'review'],
    };
    const { status, body } = await scene.create(scene.con, pass(CON, { workflow_state }));
    expect([errors({ body }), status]).toEqual([[], 201]);
  });

  it('[package P28] an agent cannot skip a workflow step', async () => {
    const jump = pass(CON, { type: 'sequential', to: { agent: EVE, reason: 'Faster' } });
    expect(errors(await scene.create(scene.con, jump))).toEqual(['HP505']);
    const early = pass(ANN, { type: 'sequential', to: { agent: EVE, reason: 'Early' } });
    expect(errors(await scene.create(scene.ann, early))).toEqual(['HP505']);
    await built();
    expect((await scene.create(scene.ann, pass(ANN))).body).toMatchObject({ type: 'sequential', to: EVE });
    expect(errors(await scene.create(scene.ann, pass(ANN, { type: 'sequential' })))).toEqual(['HP507']);
    expect(errors(await scene.create(scene.ann, early))).toEqual(['HP505']);
  });

  it('[package P28] a person begins the first step of a workflow', async () => {
    const wanted = pass('human', { expectations: { deliverable: 'A specification of 12 endpoints' } });
    const { body } = await scene.create('operator', wanted, { project_id: 1 });
    expect([body.type, body.to, body.package.workflow_state]).toMatchObject([
      'sequential',
      CON,
      { completed_steps: [] },
    ]);
    await scene.accept(scene.con, body.id);
    expect((await scene.create(scene.con, pass(CON))).body).toMatchObject({ type: 'sequential', to: ANN });
  });

  it('[package P27] if the workflow file is invalid, a package that could begin a workflow step is refused', async () => {
    scene.world.workflow = { kind: 'bad', sentence: 'This step is listed twice.', line: 6 };
    const refused = await scene.create(scene.con, pass(CON));
    expect(code(refused)).toBe('workflow_unusable');
    expect((refused.body as { error?: string }).error).toContain('line 6: This step is listed twice.');
    expect(all()).toEqual([]);
    const { delegation, gatePackage } = await import('./package-scene.ts');
    expect((await scene.create(scene.con, delegation({ type: 'delegation' }))).status).toBe(201);
    expect((await scene.create(scene.con, gatePackage())).status).toBe(201);
    expect(await standing()).toMatchObject({ workflow: null, problem: { line: 6 }, chains: [] });
  });

  it('[package P27] in a project without a workflow, a package without a receiver is refused', async () => {
    scene.world.workflow = { kind: 'none' };
    expect(errors(await scene.create(scene.con, pass(CON, { type: 'sequential' })))).toEqual(['HP507']);
    expect((await scene.create()).body.type).toBe('delegation');
    expect(await standing()).toMatchObject({ workflow: null, problem: null });
    const other = await scene.api.call<{ code: string }>(
      'GET',
      '/api/projects/2/workflow',
      undefined,
      scene.as(scene.con),
    );
    expect(other.body.code).toBe('project_not_found');
  });
});

describe('the gate after a workflow step', () => {
  beforeEach(() => use(GATE));
  const gates = () => all().filter(({ record }) => record.type === 'gate');

  it("[004 Handoff to Human (Gate)] [package P29] until a person has approved the gate of a workflow step, the step's package is refused", async () => {
    const refused = await scene.create(scene.con, pass(CON));
    expect([refused.status, code(refused)]).toEqual([409, 'gate_not_passed']);
    expect(all().map(({ record }) => [record.type, record.state])).toEqual([['gate', 'pending']]);
    const [gate] = gates();
    expect(gate?.content).toMatchObject({
      gate: { name: 'Spec review', step: 'specify' },
      validation_request: { items: GATE.items },
    });
    expect(inbox().join()).toContain('Gate "Spec review"');
    expect(code(await scene.create(scene.con, pass(CON)))).toBe('gate_not_passed');
    expect(gates()).toHaveLength(1);
    await decide(gate?.record.id ?? '', 'approve');
    const { body } = await scene.create(scene.con, pass(CON));
    expect([body.type, body.to, body.lineage.parent]).toEqual(['sequential', ANN, gate?.record.id]);
    expect(gates()[0]?.record.state).toBe('completed');
    expect(scene.world.ports.store.read(packagesFromLog)).toEqual(all());
  });

  it("[package P29] until the gate of a workflow step is approved, the step's draft cannot be sealed", async () => {
    const { body: draft } = await scene.create(scene.con, pass(CON), { seal: false });
    expect(code(await scene.post(scene.con, `/${draft.id}/seal`, {}))).toBe('gate_not_passed');
    const id = gates()[0]?.record.id ?? '';
    await decide(id, 'approve');
    const { body } = await scene.post(scene.con, `/${draft.id}/seal`, {});
    expect([body.state, body.lineage.parent, body.lineage.root]).toEqual(['pending', id, id]);
    expect(scene.world.ports.store.read(packagesFromLog)).toEqual(all());
  });

  it('[package P21] [package P29] if the content has changed after the approval of a gate, Baton refuses the package and opens another gate', async () => {
    await scene.create(scene.con, pass(CON));
    const id = gates()[0]?.record.id ?? '';
    await decide(id, 'approve');
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'b'.repeat(64), bytes: 130 });
    const changed = await scene.create(scene.con, pass(CON));
    const again = gates()[1]?.record.id ?? '';
    expect([code(changed), (changed.body as { error?: string }).error]).toEqual([
      'stale_content',
      expect.stringContaining(`docs/api.md changed after the approval. Gate ${again} asks a person again`),
    ]);
    expect(gates().map(({ record }) => record.state)).toEqual(['completed', 'pending']);
    await decide(again, 'approve');
    scene.world.artifacts.set('docs/more.md', { kind: 'file', sha256: 'c'.repeat(64), bytes: 1 });
    const context = { ...pass(CON).context, artifacts: [{ path: 'docs/api.md' }, { path: 'docs/more.md' }] };
    const more = await scene.create(scene.con, pass(CON, { context }));
    expect((more.body as { error?: string }).error).toContain('more than the person was shown');
    expect(gates().map(({ record }) => record.state)).toEqual(['completed', 'completed', 'pending']);
  });

  it('[package P29] if a gate was rejected and the content has not changed, the gate is not opened again', async () => {
    await scene.create(scene.con, pass(CON));
    await decide(gates()[0]?.record.id ?? '', 'reject', 'Two endpoints are missing');
    const again = await scene.create(scene.con, pass(CON));
    expect((again.body as { error?: string }).error).toContain('Two endpoints are missing');
    expect(gates()).toHaveLength(1);
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'b'.repeat(64), bytes: 130 });
    expect(code(await scene.create(scene.con, pass(CON)))).toBe('gate_not_passed');
    expect(gates().map(({ record }) => record.state)).toEqual(['rejected', 'pending']);
  });

  it('[package P31] a rejection is announced to the author of the package', async () => {
    await scene.create(scene.con, pass(CON));
    const gate = gates()[0]?.record.id ?? '';
    await decide(gate, 'reject', 'Two endpoints are missing');
    await announcePackages(scene.world.ports);
    const told = scene.world.ports.store.read((tx) => tx.pendingEffects()).map(({ effect }) => effect);
    expect(told).toMatchObject([{ kind: 'announce_package', agentId: scene.con.id, packageId: gate }]);
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'b'.repeat(64), bytes: 130 });
    expect(code(await scene.create(scene.con, pass(CON)))).toBe('gate_not_passed');
    await decide(gates()[1]?.record.id ?? '', 'approve');
    const { body } = await scene.create(scene.con, pass(CON));
    expect([body.type, body.to, body.lineage.root]).toEqual(['sequential', ANN, gate]);
    expect(scene.world.ports.store.read(packagesFromLog)).toEqual(all());
  });

  it('[package P31] if the author of a rejected package is gone, the operator sees the rejection', async () => {
    const { gatePackage } = await import('./package-scene.ts');
    const { body } = await scene.create(scene.con, gatePackage({ from: { agent: 'agent-1' } }));
    await scene.world.record({ type: 'agent_process_gone', agentId: scene.con.id, detail: 'gone' });
    scene.world.pass(5 * 60_000);
    await noteEndedSessions(scene.world.ports);
    await decide(body.id, 'reject', 'Two endpoints are missing');
    expect(inbox().join()).toContain(
      `You rejected ${body.id} (Two endpoints are missing), but its author agent 1 has ended`,
    );
  });

  it('[package P21] an artifact that was changed after the approval does not pass the gate', async () => {
    await scene.create(scene.con, pass(CON));
    await decide(gates()[0]?.record.id ?? '', 'approve');
    const unrelated = pass('human', { type: 'delegation', to: { agent: ANN, reason: 'Something else' } });
    await scene.create(
      'operator',
      { ...unrelated, expectations: { deliverable: 'A list of 3 files', success_criteria: ['3 files are listed'] } },
      { project_id: 1 },
    );
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'b'.repeat(64), bytes: 130 });
    expect(code(await scene.create(scene.con, pass(CON)))).toBe('stale_content');
  });

  it('[package P29] a package that was refused for lack of an approval can be sent after the approval', async () => {
    await scene.create(scene.con, pass(CON));
    const gate = gates()[0]?.record.id ?? '';
    await decide(gate, 'approve');
    expect((await scene.post(scene.con, `/${gate}/complete`)).body.state).toBe('completed');
    expect((await scene.create(scene.con, pass(CON))).body).toMatchObject({ type: 'sequential', to: ANN });
    expect(gates()).toHaveLength(1);
  });

  it("[package P29] an agent cannot replace the workflow's gate by an easier gate of its own", async () => {
    const { gatePackage } = await import('./package-scene.ts');
    const own = gatePackage({ gate: { type: 'blocking', name: GATE.name, step: 'specify', contact: 'lead' } });
    const { body } = await scene.create(scene.con, own);
    await decide(body.id, 'approve');
    const named = pass(CON, { lineage: { parent: body.id } });
    expect(code(await scene.create(scene.con, named))).toBe('gate_not_passed');
  });

  it('[package P29] a non-blocking gate is opened, but does not delay the package', async () => {
    use({ ...GATE, type: 'non_blocking' });
    const { body } = await scene.create(scene.con, pass(CON));
    expect([body.type, body.state]).toEqual(['sequential', 'pending']);
    expect(gates().map(({ record }) => record.state)).toEqual(['pending']);
  });
});

describe('the agent of the next workflow step', () => {
  async function passedOn(): Promise<Detail> {
    await built();
    return (await scene.create(scene.ann, pass(ANN))).body;
  }

  it('[package P30] if no agent has the persona of the next workflow step, Baton starts one', async () => {
    const { id } = await passedOn();
    await look();
    await look();
    expect(eves()).toMatchObject([{ projectId: 1, runtime: 'sim', state: 'starting' }]);
    const launches = scene.world.ports.store.read((tx) => tx.pendingEffects()).map(({ effect }) => effect.kind);
    expect(launches).toEqual(['launch_agent']);
    expect(scene.world.ports.store.read((tx) => tx.packageById(id)?.start)).toEqual({ agentId: 3, problem: null });
    const { pane } = scene.con;
    await scene.world.ports.store.write((tx) => {
      const eve = tx.agentById(3);
      if (eve)
        tx.saveAgent({ ...eve, state: 'idle', pane, priming: { status: 'done', at: eve.startedAt, warning: null } });
      for (const effect of tx.pendingEffects()) tx.finishEffect(effect.id, tx.agents()[0]?.startedAt ?? ('' as never));
    });
    await announcePackages(scene.world.ports);
    const told = scene.world.ports.store.read((tx) => tx.pendingEffects()).map(({ effect }) => effect);
    expect(told).toMatchObject([{ kind: 'announce_package', agentId: 3, packageId: id }]);
    expect(scene.world.ports.store.read(packagesFromLog)).toEqual(all());
  });

  it('[package P30] if an agent with the persona of the workflow step exists, no agent is started', async () => {
    await scene.create(scene.con, pass(CON));
    const { delegation } = await import('./package-scene.ts');
    await scene.create(scene.con, delegation({ to: { agent: EVE, reason: 'A second opinion' } }));
    await look();
    expect(scene.world.ports.store.read((tx) => tx.agents())).toHaveLength(2);
    const eve = await scene.world.addAgent({ personaId: 3 });
    await scene.world.handOver(eve.id);
    await scene.world.ports.store.write((tx) => tx.saveAgent({ ...eve, state: 'ended' }));
    await passedOn();
    await look();
    expect(eves()).toHaveLength(1);
    // Baton must start no agent for a halted run, because the run waits for the operator, who can resume it.
    await scene.world.ports.store.write((tx) => tx.saveRun({ ...scene.world.run(), step: 'failed' }));
    await look();
    expect(eves()).toHaveLength(1);
  });

  it('[package P30] if an agent with the persona of the workflow step appears while Baton checks the runtime, Baton starts no agent', async () => {
    await passedOn();
    const unavailableReason = async () => void (await scene.world.addAgent({ personaId: 3 }));
    Object.assign(scene.world.ports.runtimes.get('sim') ?? {}, { unavailableReason });
    await look();
    expect(eves()).toHaveLength(1);
  });

  it('[package P30] if the agent of a workflow step cannot be started, Baton reports the problem once', async () => {
    scene.world.unavailable = 'The practice agent is not installed';
    await passedOn();
    await look();
    await look();
    expect(eves()).toEqual([]);
    expect(inbox()).toEqual([
      expect.stringContaining('could not start an agent with this persona: The practice agent'),
    ]);
    scene.world.unavailable = undefined;
    await look();
    expect(eves()).toHaveLength(1);
    expect(inbox()).toEqual([]);
  });

  it('[package P30] a failed launch of the next agent is not retried', async () => {
    await passedOn();
    await look();
    await scene.world.record({ type: 'agent_launch_failed', agentId: 3, detail: 'no such program' });
    await look();
    await look();
    expect(eves()).toHaveLength(1);
    expect(inbox().join()).toContain('agent 3 could not be started: no such program');
  });

  it('the agent of the next workflow step can accept a package without a deliverable', async () => {
    const { id } = await passedOn();
    const eve = await scene.world.addAgent({ personaId: 3 });
    await scene.post(eve, `/${id}/receive`);
    expect((await scene.post(eve, `/${id}/ack`, full())).body.state).toBe('accepted');
  });
});
