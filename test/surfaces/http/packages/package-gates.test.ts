import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../../../src/domain/agents/agent.ts';
import type { ArtifactSeen } from '../../../../src/domain/packages/content/artifact-seen.ts';
import { workflowOf } from '../../../../src/domain/workflows/workflow.ts';
import { type Detail, delegation, gatePackage, PackageScene } from './package-scene.ts';

/** Tests that an agent cannot get around a gate, an approval or a rejection. */

const CON = 'developer-con-1';
const ANN = 'reviewer-ann-2';
let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
afterEach(() => scene.api.remove());

const api = (context: object = {}) => ({ ...gatePackage().context, ...context });
const decide = async (id: string, option: string): Promise<Detail> => {
  const { body } = await scene.get('operator', `/${id}`);
  const given = { option, reason: 'See RFC 1234', seen: body.seen };
  return (await scene.post('operator', `/${id}/decide`, given)).body;
};
const sendAfter = (parent: string, over: object = {}) =>
  scene.create(scene.con, delegation({ lineage: { parent }, ...over }));
const file = (letter: string): ArtifactSeen => ({ kind: 'file', sha256: letter.repeat(64), bytes: 9 });

describe('a blocking gate of an agent', () => {
  const open = async (over: object = {}): Promise<string> => (await scene.create(scene.con, gatePackage(over))).body.id;
  const NON_BLOCKING = { type: 'non_blocking', name: 'API approved', step: 3 };

  it('[package P21] a non-blocking gate in the same chain does not replace a pending or rejected gate', async () => {
    const gate = await open();
    const easier = await open({ gate: NON_BLOCKING, lineage: { parent: gate } });
    expect((await sendAfter(easier)).body.code).toBe('gate_not_passed');
    await decide(gate, 'reject');
    expect((await sendAfter(easier)).body).toMatchObject({
      code: 'gate_not_passed',
      error: expect.stringContaining(gate),
    });
  });

  it('[package P21] a non-blocking gate still lets the packages after it pass', async () => {
    expect((await sendAfter(await open({ gate: NON_BLOCKING }))).status).toBe(201);
  });

  it('[package P21] a gate also counts for packages that its author sends under another of its names', async () => {
    const gate = await open();
    const asked = gatePackage({ lineage: { parent: gate }, gate: undefined, validation_request: undefined });
    const escalation = await scene.create(scene.con, asked);
    expect([escalation.status, escalation.body.type]).toEqual([201, 'escalation']);
    const named = { from: { agent: `agent-${scene.con.id}` } };
    expect((await sendAfter(escalation.body.id, named)).body.code).toBe('gate_not_passed');
  });

  it('[package P22] the answer to a question of a person cannot make the gate non-blocking', async () => {
    const id = await open();
    const { questions } = await decide(id, 'question');
    const answers = questions.map((question) => ({ id: question.id, text: 'RFC 1234, section 5' }));
    const easier = await scene.post(scene.con, `/${id}/answer`, {
      answers,
      package: gatePackage({ gate: NON_BLOCKING }),
    });
    expect([easier.status, easier.body.code]).toEqual([403, 'forbidden']);
    const same = await scene.post(scene.con, `/${id}/answer`, { answers, package: gatePackage() });
    expect([same.body.state, same.body.gate?.kind]).toEqual(['pending', 'blocking']);
  });
});

describe('the approval of the gate of a workflow step', () => {
  beforeEach(() => {
    const gate = { type: 'blocking', name: 'Spec review', items: ['All endpoints are there'] } as const;
    const steps = [
      { step: 'specify', persona: CON, gate },
      { step: 'build', agent: ANN },
    ];
    scene.world.workflow = { kind: 'workflow', workflow: workflowOf({ name: 'feature', steps }) };
  });
  const pass = (by: Agent, context: object = {}) =>
    scene.create(by, { from: { agent: CON }, to: { reason: 'The step is done' }, context: api(context) });
  const approved = async (context: object = {}): Promise<void> => {
    expect((await pass(scene.con, context)).body.code).toBe('gate_not_passed');
    const gates = await scene.get<{ packages: { id: string }[] }>('operator', '?type=gate');
    expect((await decide(gates.body.packages[0]?.id ?? '', 'approve')).state).toBe('completed');
  };

  it('[T21] [package P21] the approval of a deletion does not cover a file that is written at the same path afterwards', async () => {
    const old = (role: string) => ({
      artifacts: [...(api().artifacts ?? []), { path: 'src/old.ts', type: 'code', description: 'Removed', role }],
    });
    await approved(old('deleted'));
    scene.world.artifacts.set('src/old.ts', file('d'));
    const refused = await pass(scene.con, old('created'));
    expect(refused.body).toMatchObject({ code: 'stale_content', error: expect.stringContaining('src/old.ts changed') });
  });

  it('[package P21] the approval of a deletion covers the package that reports this deletion', async () => {
    const artifacts = [{ path: 'src/old.ts', type: 'code', description: 'Removed', role: 'deleted' }];
    await approved({ artifacts });
    expect((await pass(scene.con, { artifacts })).status).toBe(201);
  });

  it('[T21] [package P21] the approval does not cover other contents in the worktree of another agent with the same persona', async () => {
    await approved();
    const { look } = scene.world.ports.packageFiles;
    Object.assign(scene.world.ports.packageFiles, {
      look: async (root: string, paths: readonly string[]) =>
        root === '/w/other' ? Object.fromEntries(paths.map((path) => [path, file('d')])) : look(root, paths),
    } satisfies { look: typeof look });
    const worktree = await scene.world.ports.store.write((tx) => {
      const place = { name: 'other', path: '/w/other', folder: '/w/other', branch: 'baton/other', base: 'b' };
      const at = scene.world.ports.clock.now();
      return tx.insertWorktree({
        ...place,
        projectId: 1,
        baseBranch: 'main',
        state: 'ready',
        createdAt: at,
        removedAt: null,
      });
    });
    const second = await scene.world.addAgent({ worktreeId: worktree.id });
    expect((await pass(second)).body).toMatchObject({
      code: 'stale_content',
      error: expect.stringContaining('docs/api.md changed'),
    });
  });
});
