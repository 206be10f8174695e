import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packagesFromLog } from '../../../../src/app/packages/background/rebuild-packages.ts';
import type { Agent } from '../../../../src/domain/agents/agent.ts';
import type { ArtifactSeen } from '../../../../src/domain/packages/content/artifact-seen.ts';
import { type WorkflowGate, workflowOf } from '../../../../src/domain/workflows/workflow.ts';
import { type Detail, delegation, gatePackage, PackageScene, returnPackage } from './package-scene.ts';

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

describe('the gate after a workflow step, for packages that reach the next agent in another way', () => {
  const EVE = 'reviewer-eve-3';
  const GATE = { type: 'blocking', name: 'Spec review', items: ['All endpoints are there'] } as const;
  beforeEach(async () => {
    await scene.addPersona('Eve');
    use(GATE);
  });
  function use(gate?: WorkflowGate, next = ANN): void {
    const steps = [
      { step: 'specify', persona: CON, gate },
      { step: 'build', agent: next },
      { step: 'review', persona: EVE },
    ];
    scene.world.workflow = { kind: 'workflow', workflow: workflowOf({ name: 'feature', steps }) };
  }
  const send = (to: string, over: object = {}) =>
    scene.create(
      scene.con,
      delegation({ to: { agent: to, reason: 'The step is done' }, context: api(), type: 'sequential', ...over }),
    );
  const gates = async () =>
    (await scene.get<{ packages: { id: string; state: string }[] }>('operator', '?type=gate')).body.packages;
  /** Con opens the gate of the step, and a person may decide. Returns the id of the gate. */
  async function opened(option?: string): Promise<string> {
    expect((await send(ANN)).body.code).toBe('gate_not_passed');
    const id = (await gates())[0]?.id ?? '';
    if (option !== undefined) await decide(id, option);
    return id;
  }
  const others = () => scene.world.ports.store.read((tx) => tx.packages({})).filter(({ record }) => !record.gate);

  it.each([
    ['its number', 'agent-2', {}],
    ['its number, in a package without a type', 'agent-2', { type: undefined }],
    ['its role', 'reviewer', {}],
    ['its number, in a package that the sender sends under its own number', 'agent-2', { from: { agent: 'agent-1' } }],
    ['its persona, in a package that the sender sends under its role', ANN, { from: { agent: 'developer' } }],
  ])(
    '[T21] [package P28] a sequential package to the next agent waits for the gate if it names the agent by %s',
    async (_how, to, over) => {
      const first = await send(to, over);
      expect([first.status, first.body.code]).toEqual([409, 'gate_not_passed']);
      const [gate] = await gates();
      expect((await send(to, over)).body.code).toBe('gate_not_passed');
      expect([(await gates()).length, others()]).toEqual([1, []]);
      await decide(gate?.id ?? '', 'approve');
      const { body } = await send(to, over);
      expect([body.type, body.from, body.to, body.lineage.parent]).toEqual(['sequential', CON, ANN, gate?.id]);
      expect(body.package.workflow_state).toMatchObject({ current_step: 'build', completed_steps: ['specify'] });
      expect(scene.world.ports.store.read(packagesFromLog)).toEqual(
        scene.world.ports.store.read((tx) => tx.packages({})),
      );
    },
  );

  it('[package P29] a person who rejected a gate is not asked again about the same content because the sender uses another name', async () => {
    const gate = await opened('reject');
    const again = await send('agent-2', { from: { agent: 'agent-1' } });
    expect(again.body).toMatchObject({
      code: 'gate_not_passed',
      error: expect.stringContaining(`rejected gate ${gate}`),
    });
    expect(await gates()).toHaveLength(1);
  });

  it('[package P28] a sequential package to the persona of an agent waits for the gate if the workflow names the role', async () => {
    use(GATE, 'reviewer');
    expect((await send(ANN)).body.code).toBe('gate_not_passed');
  });

  it('[package P28] an agent cannot skip a workflow step by the number of a later agent', async () => {
    const eve = await scene.world.addAgent({ personaId: 3 });
    const { body } = await send(`agent-${eve.id}`);
    expect(body.findings?.map(({ rule }) => rule)).toContain('HP505');
    expect(others()).toEqual([]);
  });

  it('[package P28] the draft of a package to the number of the next agent goes to the persona of the workflow when it is sealed', async () => {
    await opened('approve');
    const draft = delegation({ to: { agent: 'agent-2', reason: 'Done' }, context: api(), type: 'sequential' });
    const { body } = await scene.create(scene.con, draft, { seal: false });
    const sealed = await scene.post(scene.con, `/${body.id}/seal`, {});
    expect([sealed.body.state, sealed.body.to]).toEqual(['pending', ANN]);
    expect(scene.world.ports.store.read(packagesFromLog)).toEqual(
      scene.world.ports.store.read((tx) => tx.packages({})),
    );
  });

  describe('a delegation', () => {
    const delegate = (to = ANN, over: object = {}) => send(to, { type: 'delegation', ...over });

    it.each([
      ['waits for a person', undefined],
      ['is rejected (See RFC 1234)', 'reject'],
      ['waits for your answer', 'question'],
    ])('[T21] [package P29] a delegation to the next agent is refused if the gate %s', async (words, option) => {
      const gate = await opened(option);
      for (const to of [ANN, 'agent-2', 'reviewer']) {
        const refused = await delegate(to);
        expect([refused.status, refused.body.code]).toEqual([409, 'gate_not_passed']);
        expect(refused.body.error).toContain(
          `the gate "Spec review" before that step is not approved: ${gate} ${words}.`,
        );
        expect(refused.body.hint).toContain(`baton package show ${gate}`);
      }
      expect((await delegate(ANN, { from: { agent: 'agent-1' } })).body.code).toBe('gate_not_passed');
      expect([(await gates()).length, others()]).toEqual([1, []]);
    });

    it('[package P29] a delegation to an agent that does not do the next step passes while the gate is pending', async () => {
      await opened();
      const { body } = await delegate(EVE);
      expect([body.type, body.state]).toEqual(['delegation', 'pending']);
    });

    it('[package P29] a delegation to the next agent passes before the gate was opened and after its approval', async () => {
      expect((await delegate()).body.state).toBe('pending');
      await opened('approve');
      scene.world.artifacts.set('docs/api.md', file('b'));
      expect((await delegate()).body).toMatchObject({ type: 'delegation', state: 'pending' });
    });

    it('[package P29] a delegation to the next agent passes while a non-blocking gate is open', async () => {
      use({ ...GATE, type: 'non_blocking' });
      expect((await send(ANN)).status).toBe(201);
      expect((await delegate()).status).toBe(201);
    });

    it('[package P29] a return to the next agent passes while the gate is pending', async () => {
      await opened();
      const asked = delegation({ from: { agent: ANN }, to: { agent: CON, reason: 'Con knows the API' } });
      const { body } = await scene.create(scene.ann, asked);
      await scene.accept(scene.con, body.id);
      const answer = returnPackage({ from: { agent: CON }, to: { agent: ANN, reason: 'The question is answered' } });
      expect((await scene.create(scene.con, answer)).body.type).toBe('return');
    });

    it('[package P29] a delegation that belongs to other work of the sender passes while the gate is pending', async () => {
      await opened();
      const asked = delegation({
        from: { agent: 'human' },
        to: { agent: CON, reason: 'Other work' },
        type: 'delegation',
      });
      const { body } = await scene.create('operator', asked, { project_id: 1 });
      await scene.accept(scene.con, body.id);
      expect((await delegate()).body).toMatchObject({ type: 'delegation', state: 'pending' });
    });
  });
});
