import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { announcePackage } from '../../../../src/app/engine/effects/announce-package.ts';
import { announcePackages } from '../../../../src/app/packages/background/announce-packages.ts';
import { createPackageTender } from '../../../../src/app/packages/background/tend-packages.ts';
import { noteEndedSessions } from '../../../../src/app/packages/background/tick-packages.ts';
import type { Agent } from '../../../../src/domain/agents/agent.ts';
import { ownerOf } from '../../../../src/domain/packages/record.ts';
import { delegation, full, PackageScene } from './package-scene.ts';

/**
 * Tests that an agent cannot change a package of other parties, and that Baton announces a package neither to
 * uninvolved agents nor to busy ones.
 */

let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
afterEach(() => scene.api.remove());

const save = (agent: Agent) => scene.world.ports.store.write((tx) => tx.saveAgent(agent));
const record = (id: string) => scene.world.ports.store.read((tx) => tx.packageById(id)?.record);
const finishEffects = () =>
  scene.world.ports.store.write((tx) => {
    for (const { id } of tx.pendingEffects()) tx.finishEffect(id, scene.world.ports.clock.now());
  });
/** Announces the waiting packages and returns the ids of the agents that get an announcement. */
const told = async (): Promise<readonly (number | null)[]> => {
  await announcePackages(scene.world.ports);
  return scene.world.ports.store
    .read((tx) => tx.pendingEffects())
    .flatMap(({ effect }) => (effect.kind === 'announce_package' ? [effect.agentId] : []));
};

it.each(['human', 'orchestrator', 'next', 'agent-1'])(
  '[package P15] an agent cannot send a package under the reserved name %s, even if the agent has a role of this name',
  async (role) => {
    const createdAt = scene.world.ports.clock.now();
    await scene.world.ports.store.write((tx) =>
      tx.insertPersona({ role, name: 'Eve', status: 'active', createdAt }, (id) => `${role}-eve-${id}`),
    );
    const eve = await scene.world.addAgent({ personaId: 3 });
    const sent = await scene.create(eve, delegation({ from: { agent: role } }));
    expect([sent.status, sent.body.code]).toEqual([403, 'forbidden']);
  },
);

it('[004 Sequential (Workflow)] a package to a role goes to an agent with that role', async () => {
  const { body } = await scene.create(scene.con, delegation({ to: { agent: 'reviewer', reason: 'Any reviewer' } }));
  expect([body.error, await told()]).toEqual([undefined, [scene.ann.id]]);
  expect((await scene.accept(scene.ann, body.id)).state).toBe('accepted');
});

it('[package P15] only the sender of a package can supersede it', async () => {
  const { body } = await scene.create();
  const byAnn = { agent: 'reviewer-ann-2' };
  const to = { agent: 'developer-con-1', reason: 'Con wrote the API' };
  const answer = await scene.create(scene.ann, delegation({ from: byAnn, to, lineage: { supersedes: body.id } }));
  expect(answer.body).toMatchObject({ code: 'forbidden', error: expect.stringContaining('Only the sender of') });
  expect(record(body.id)?.state).toBe('pending');
  const own = await scene.create(scene.con, delegation({ lineage: { supersedes: body.id } }));
  expect([own.status, record(body.id)?.state]).toEqual([201, 'cancelled']);
});

it('a draft is visible only to its author and to people', async () => {
  await scene.addPersona('Eve');
  const { body: first } = await scene.create();
  await scene.accept(scene.ann, first.id);
  const to = { agent: 'reviewer-eve-3', reason: 'Eve knows sessions' };
  const draft = (
    await scene.create(
      scene.ann,
      delegation({ from: { agent: 'reviewer-ann-2' }, to, lineage: { parent: first.id } }),
      { seal: false },
    )
  ).body;
  const back = (await scene.create(scene.con, delegation(), { seal: false })).body;
  const listed = async (by: Agent | 'operator', path: string) =>
    (await scene.get<{ packages: { id: string }[] }>(by, path)).body.packages.map(({ id }) => id).sort();
  expect(await listed(scene.ann, '')).toEqual([first.id, draft.id]);
  for (const path of [`/${back.id}`, `/${back.id}/chain`])
    expect((await scene.get<{ code: string }>(scene.ann, path)).body.code).toBe('package_not_found');
  expect((await scene.post(scene.ann, `/${back.id}/receive`)).body.code).toBe('package_not_found');
  expect(await listed('operator', '')).toEqual([first.id, draft.id, back.id]);
  expect(await listed(scene.con, `/${first.id}/chain`)).toEqual([first.id]);
  expect(await listed(scene.ann, `/${first.id}/chain`)).toEqual([first.id, draft.id]);
});

it("[package P18] the answer to a question about a package cannot change the package's receiver", async () => {
  await scene.addPersona('Eve');
  const { body } = await scene.create();
  await scene.post(scene.ann, `/${body.id}/receive`);
  await scene.post(scene.ann, `/${body.id}/ask`, { questions: ['Which?'] });
  const to = { agent: 'reviewer-eve-3', reason: 'Eve knows sessions' };
  const answers = [{ id: 'Q-1-1', text: 'The public one' }];
  const answer = await scene.post(scene.con, `/${body.id}/answer`, { answers, package: delegation({ to }) });
  expect([answer.body.code, record(body.id)?.state]).toEqual(['forbidden', 'clarifying']);
});

it('[package P1] if a draft is rewritten while Baton seals it, Baton does not use the hashes of the earlier text', async () => {
  const { id } = (await scene.create(scene.con, delegation(), { seal: false })).body;
  const { packageFiles } = scene.world.ports;
  const { look } = packageFiles;
  const artifacts = [{ path: 'docs/missing.md', type: 'spec', description: 'The API', role: 'referenced' }];
  const anew = delegation({ context: { summary: '12 endpoints in docs/missing.md', artifacts, open_questions: [] } });
  const editedMeanwhile: typeof look = async (...asked) => {
    Object.assign(packageFiles, { look });
    await scene.post(scene.con, `/${id}/seal`, { package: anew });
    return look(...asked);
  };
  Object.assign(packageFiles, { look: editedMeanwhile });
  const answer = await scene.post(scene.con, `/${id}/seal`);
  expect([answer.body.code, record(id)?.state]).toEqual(['stale_content', 'draft']);
});

it('[package P15] an agent in another project cannot see, read or accept a package, although its role is addressed', async () => {
  const at = scene.world.ports.clock.now();
  const other = await scene.world.ports.store.write((tx) =>
    tx.insertProject({ name: 'other', path: '/other', createdAt: at }),
  );
  const eve = await scene.world.addAgent({ personaId: 2, projectId: other.id });
  for (const to of ['reviewer', 'reviewer-ann-2']) {
    const { body } = await scene.create(scene.con, delegation({ to: { agent: to, reason: 'A review' } }));
    const answers = [
      await scene.get(eve, `/${body.id}`),
      await scene.post(eve, `/${body.id}/receive`),
      await scene.post(eve, `/${body.id}/ack`, full()),
      await scene.post(eve, `/${body.id}/decline`, { code: 'capability', reason: 'Not mine' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await scene.accept(scene.ann, body.id)).state).toBe('accepted');
  }
});

describe('the announcement of a waiting package', () => {
  beforeEach(() => scene.create());

  it('a waiting package is announced to its idle receiver', async () => {
    expect(await told()).toEqual([scene.ann.id]);
  });

  it('[package P37] if the receiver ends without opening a package, the package is announced once to the next agent with the same name', async () => {
    const tend = createPackageTender(scene.world.ports);
    const [stored] = scene.world.ports.store.read((tx) => tx.packages({}));
    const id = stored?.record.id ?? '';
    expect(await told()).toEqual([scene.ann.id]);
    await finishEffects();
    await tend();
    expect(await told()).toEqual([]);
    await scene.world.record({ type: 'agent_process_gone', agentId: scene.ann.id, detail: 'gone' });
    await tend();
    expect((await scene.get('operator', `/${id}`)).body.notified).toBeNull();
    const second = await scene.world.addAgent({ personaId: 2 });
    expect(await told()).toEqual([second.id]);
    expect((await scene.get('operator', `/${id}`)).body.notified).toMatchObject({ agent_id: second.id });
    await finishEffects();
    await tend();
    expect(await told()).toEqual([]);
    expect(record(id)?.state).toBe('pending');
  });

  it('while an agent is in a handoff, a waiting package is not announced to the agent', async () => {
    await scene.world.handOver(scene.ann.id);
    await finishEffects();
    expect(scene.world.agent(scene.ann.id).state).toBe('idle');
    expect(await told()).toEqual([]);
  });

  it('a package that is cancelled just before its announcement is not announced', async () => {
    const [stored] = scene.world.ports.store.read((tx) => tx.packages({}));
    const id = stored?.record.id ?? '';
    scene.world.beforePaste = async () => void (await scene.post(scene.con, `/${id}/cancel`));
    await announcePackages(scene.world.ports);
    for (const { effect } of scene.world.ports.store.read((tx) => tx.pendingEffects()))
      if (effect.kind === 'announce_package') await announcePackage(scene.world.ports, effect);
    expect([record(id)?.state, scene.world.typed]).toEqual(['cancelled', []]);
  });

  it('a waiting package is not announced to an adopted session', async () => {
    await save({ ...scene.world.agent(scene.ann.id), adoption: 'adopted' });
    expect(await told()).toEqual([]);
  });

  it('a waiting package is not announced to an agent with the same name in another project', async () => {
    const createdAt = scene.world.ports.clock.now();
    const other = await scene.world.ports.store.write((tx) =>
      tx.insertProject({ name: 'other', path: '/other', createdAt }),
    );
    await save({ ...scene.world.agent(scene.ann.id), projectId: other.id });
    expect(await told()).toEqual([]);
  });
});

describe('[package P15] the package of a sender that has ended', () => {
  const GONE_MS = 11 * 60_000;
  const senderAfter = async (ms: number): Promise<string | undefined> => {
    scene.world.pass(ms);
    await noteEndedSessions(scene.world.ports);
    const now = record(id);
    return now && ownerOf(now);
  };
  let id = '';
  beforeEach(async () => {
    id = (await scene.create()).body.id;
  });
  const end = () => scene.world.record({ type: 'agent_process_gone', agentId: scene.con.id, detail: 'gone' });

  it('if the sender of a package has ended, Baton becomes responsible for the package after the default time', async () => {
    await end();
    expect([await senderAfter(60_000), await senderAfter(GONE_MS)]).toEqual(['sender', 'orchestrator']);
  });

  it("the time after which Baton becomes responsible for an ended sender's package can be set in config.json", async () => {
    const { settings } = scene.world.ports;
    Object.assign(settings, { packageTimers: { ...settings.packageTimers, gone: 30_000 } });
    await end();
    expect([await senderAfter(29_000), await senderAfter(2_000)]).toEqual(['sender', 'orchestrator']);
  });

  it('if another agent has the same persona, an ended sender stays responsible for its package', async () => {
    await end();
    await scene.world.addAgent();
    expect(await senderAfter(GONE_MS)).toBe('sender');
  });

  it('while a run creates the successor of an ended sender, the sender stays responsible for its package', async () => {
    await scene.world.handOver(scene.con.id);
    await save({ ...scene.world.agent(scene.con.id), state: 'ended', endedAt: scene.world.ports.clock.now() });
    expect(await senderAfter(GONE_MS)).toBe('sender');
  });
});
