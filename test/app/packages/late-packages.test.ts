import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHealth } from '../../../src/app/engine/health.ts';
import { createEffectRunner } from '../../../src/app/engine/run-effects.ts';
import { announcePackages } from '../../../src/app/packages/background/announce-packages.ts';
import { createPackageWriter } from '../../../src/app/packages/background/package-writer.ts';
import { packagesFromLog } from '../../../src/app/packages/background/rebuild-packages.ts';
import { tickPackages } from '../../../src/app/packages/background/tick-packages.ts';
import { noteStoppedSteps } from '../../../src/app/workflows/note-stopped-steps.ts';
import type { PackageContents } from '../../../src/contract/packages/package-resources.ts';
import type { InboxItem } from '../../../src/contract/resources.ts';
import { instantFromMs } from '../../../src/domain/instant.ts';
import { workflowOf } from '../../../src/domain/workflows/workflow.ts';
import { delegation, gatePackage, PackageScene, returnPackage } from '../../surfaces/http/packages/package-scene.ts';

const MINUTE = 60_000;

let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
/** Checks after each test that the package rows can be rebuilt from the log. */
afterEach(async () => {
  const { rows, rebuilt } = scene.world.ports.store.read((tx) => ({
    rows: tx.packages({}),
    rebuilt: packagesFromLog(tx),
  }));
  expect(rebuilt).toEqual(rows);
  await scene.api.remove();
});

const items = async () => (await scene.api.get<{ items: InboxItem[] }>('/api/inbox')).items;
const typed = () => scene.world.typed.filter(({ id }) => id.startsWith('package-'));
const look = async (): Promise<void> => {
  await tickPackages(scene.world.ports);
  await announcePackages(scene.world.ports);
  const runner = createEffectRunner(scene.world.ports);
  runner.wake();
  await runner.stop();
};

/** Con sends a package to Ann. Ann is notified and ignores the package until Baton informs the operator. */
async function ignored(): Promise<string> {
  const { body } = await scene.create();
  await look();
  for (let times = 0; times < 2; times++) {
    scene.world.pass(11 * MINUTE);
    await look();
  }
  return body.id;
}

describe('[D4] a package that its agent does not open', () => {
  it('the inbox names the agent that has not opened its package', async () => {
    const id = await ignored();
    const [item] = await items();
    expect(item).toMatchObject({ package_id: id, kind: 'decision', offers: ['remind', 'reassign'] });
    expect(item?.sentence).toBe(
      `Ann (agent 2) was notified 22 min ago of package ${id} from Con (agent 1) and has not opened it.`,
    );
    scene.world.pass(3 * MINUTE);
    expect((await items())[0]?.sentence).toContain('25 min ago');
    expect((await scene.get('operator', `/${id}`)).body.notified).toMatchObject({
      agent_id: 2,
      label: 'Ann (agent 2)',
    });
  });

  it('if the operator cancels a late package, its inbox item closes, and the sender is notified', async () => {
    const id = await ignored();
    await scene.post('operator', `/${id}/cancel`);
    await look();
    expect(typed().at(-1)?.text).toContain(`has canceled package ${id}`);
    expect(await items()).toEqual([]);
  });

  it('if the operator cancels an own late package, its inbox item closes', async () => {
    const { body } = await scene.create('operator', delegation({ from: { agent: 'human' } }), {
      project_id: scene.con.projectId,
    });
    await look();
    for (let times = 0; times < 2; times++) {
      scene.world.pass(11 * MINUTE);
      await look();
    }
    expect(await items()).toHaveLength(1);
    await scene.post('operator', `/${body.id}/cancel`);
    expect(await items()).toEqual([]);
  });

  it('if the receiver completes a package after its deadline, its inbox item closes', async () => {
    const { body } = await scene.create();
    await scene.accept(scene.ann, body.id);
    for (let times = 0; times < 2; times++) {
      scene.world.pass(61 * MINUTE);
      await look();
    }
    expect(await items()).toHaveLength(1);
    const returned = await scene.post(scene.ann, `/${body.id}/return`, { package: returnPackage() });
    expect(returned.status).toBe(201);
    await look();
    expect((await scene.get('operator', `/${body.id}`)).body.state).toBe('completed');
    expect(await items()).toEqual([]);
  });

  it('if no agent was notified of a late package, the hint of its inbox item offers a reminder and the start of an agent', async () => {
    await scene.addPersona('Eve');
    const to = { agent: 'reviewer-eve-3', reason: 'Knows the API' };
    const { body } = await scene.create(scene.con, { ...delegation(), to });
    for (let times = 0; times < 2; times++) {
      scene.world.pass(11 * MINUTE);
      await look();
    }
    const [item] = await items();
    expect(item?.sentence).toBe(
      `Package ${body.id} from Con (agent 1) waits for Eve, which Baton could not notify yet.`,
    );
    const start = 'baton agent start --project 1 --persona reviewer-eve-3';
    expect(item?.hint).toContain(
      `If no agent with the persona reviewer-eve-3 runs, start one: ${start}; if one runs, remind it: baton package remind ${body.id}; `,
    );
  });

  it('[package P37] a reminder announces the package to its receiver again', async () => {
    const id = await ignored();
    expect(typed()).toHaveLength(1);
    expect((await scene.post('operator', `/${id}/remind`)).status).toBe(200);
    await scene.post('operator', `/${id}/remind`);
    await look();
    await look();
    expect(typed()).toHaveLength(2);
    expect(scene.events().filter(({ type }) => type === 'package_reminded')).toHaveLength(1);
    await scene.post('operator', `/${id}/remind`);
    await look();
    expect(new Set(typed().map(({ id: ref }) => ref)).size).toBe(3);
  });

  it('[package P37] the operator can remind the receiver of an accepted package', async () => {
    const { body } = await scene.create();
    await scene.accept(scene.ann, body.id);
    await scene.post('operator', `/${body.id}/remind`);
    await look();
    expect(typed().at(-1)?.text).toContain(
      `package ${body.id} from developer-con-1, which you accepted, has no result`,
    );
    const gate = (await scene.create(scene.con, gatePackage())).body;
    expect((await scene.post('operator', `/${gate.id}/remind`)).status).toBe(409);
    await scene.post('operator', `/${body.id}/cancel`);
    expect((await scene.post('operator', `/${body.id}/remind`)).status).toBe(409);
  });

  it('[package P37] an agent can neither remind the receiver of a package nor reassign the package', async () => {
    const id = await ignored();
    for (const [verb, body] of [
      ['remind', {}],
      ['reassign', { to: 'human' }],
    ] as const)
      expect((await scene.post(scene.ann, `/${id}/${verb}`, body)).status).toBe(403);
  });
});

describe('[package P40] a package whose cancellation the operator undoes', () => {
  const restore = async (id: string, by: Parameters<PackageScene['post']>[0] = 'operator') =>
    scene.post(by, `/${id}/restore`, {});

  it('after the operator restores a package, Baton announces the package again and the receiver must acknowledge it again', async () => {
    const { body } = await scene.create();
    await look();
    await scene.accept(scene.ann, body.id);
    await scene.post('operator', `/${body.id}/cancel`);
    await look();
    expect(typed().at(-1)?.text).toContain(`has canceled package ${body.id}`);
    expect((await restore(body.id)).body).toMatchObject({ state: 'pending', waiter: 'receiver', over: false });
    await look();
    expect(typed().at(-1)?.text).toContain(`package ${body.id} (delegation) from developer-con-1 waits for you`);
    expect((await scene.accept(scene.ann, body.id)).state).toBe('accepted');
  });

  it('a cancelled draft becomes a draft again when the operator restores it', async () => {
    const { body } = await scene.post(scene.con, '', { package: gatePackage(), seal: false });
    await scene.post('operator', `/${body.id}/cancel`);
    expect((await restore(body.id)).body).toMatchObject({ state: 'draft', waiter: 'sender' });
  });

  it('if Baton refuses an action because the operator cancelled the package, the refusal names the command `baton package restore`', async () => {
    const { body } = await scene.create();
    await scene.post('operator', `/${body.id}/cancel`);
    const late = await scene.post(scene.con, `/${body.id}/cancel`);
    expect(late.body.hint).toContain(`The operator can undo the cancellation: baton package restore ${body.id}.`);
    const { body: own } = await scene.create();
    await scene.post(scene.con, `/${own.id}/cancel`);
    expect((await scene.post(scene.con, `/${own.id}/cancel`)).body.hint).not.toContain('restore');
  });

  it('no agent can restore a package, and the operator can restore only a package that the operator cancelled', async () => {
    const [first, second] = [(await scene.create()).body.id, (await scene.create()).body.id];
    expect((await restore(first)).body).toMatchObject({ code: 'package_not_possible' });
    await scene.post(scene.con, `/${first}/cancel`);
    expect((await restore(first)).body).toMatchObject({
      code: 'package_over',
      error: `${first} stays canceled: only a package that the operator canceled can be restored.`,
    });
    await scene.post('operator', `/${second}/cancel`);
    expect((await restore(second, scene.con)).status).toBe(403);
    expect((await restore(second)).body.state).toBe('pending');
  });
});

describe('[D4] [package P37] a reassigned package', () => {
  it('after a package was reassigned, its former receiver can no longer act on the package', async () => {
    const eve = await scene.world.addAgent({ personaId: 1 });
    const { body } = await scene.create();
    await scene.accept(scene.ann, body.id);
    const given = await scene.post('operator', `/${body.id}/reassign`, {
      to: `agent-${eve.id}`,
      reason: 'Ann is busy',
    });
    expect(given.body).toMatchObject({ state: 'pending', to: `agent-${eve.id}`, revision: 2, waiter: 'receiver' });
    expect((await scene.post(scene.ann, `/${body.id}/complete`, { results: [] })).status).toBeGreaterThanOrEqual(400);
    expect((await scene.accept(eve, body.id)).state).toBe('accepted');
    expect(scene.events().some(({ type }) => type === 'package_reassigned')).toBe(true);
  });

  it('a package that the operator reassigns to "human" waits for a person', async () => {
    const id = await ignored();
    await scene.post('operator', `/${id}/reassign`, { to: 'human' });
    expect((await scene.get('operator', `/${id}`)).body).toMatchObject({ waiter: 'human', state: 'pending' });
    expect((await items()).map(({ hint }) => hint).join()).toContain(`baton package decide ${id}`);
  });

  it('reassigning a package is refused if the new receiver is unknown', async () => {
    const id = await ignored();
    const answer = async (to: string) => (await scene.post('operator', `/${id}/reassign`, { to })).body;
    expect(await answer('nobody-9')).toMatchObject({ code: 'bad_request', error: expect.stringContaining('nobody-9') });
    expect((await answer('reviewer-ann-2')).error).toContain('already goes to');
    expect((await answer('reviewer')).error).toContain('Ann (agent 2) also has that name');
    await scene.post('operator', `/${id}/cancel`);
    expect((await answer('human')).error).toContain('is canceled');
  });
});

describe('[D5] [package P38] a workflow step that ends without passing the work on', () => {
  const ANN = 'reviewer-ann-2';
  const built = async (): Promise<string> => {
    await scene.addPersona('Eve');
    const steps = [
      { step: 'specify', persona: 'developer-con-1' },
      { step: 'build', agent: ANN, deliverable: 'The 12 endpoints' },
      { step: 'review', persona: 'reviewer-eve-3' },
    ];
    scene.world.workflow = { kind: 'workflow', workflow: workflowOf({ name: 'feature', steps }) };
    const { body } = await scene.create(scene.con, {
      from: { agent: 'developer-con-1' },
      to: { agent: ANN, reason: 'The step is done' },
      context: { summary: 'Specification of 12 endpoints in docs/api.md', artifacts: [], open_questions: [] },
    });
    await look();
    await scene.accept(scene.ann, body.id);
    await scene.post(scene.ann, `/${body.id}/complete`, { results: [] });
    return body.id;
  };
  const stops = async () => (await items()).filter(({ sentence }) => sentence.includes('has stopped'));

  it('if an agent completes a workflow step and does not pass the work on within ten minutes, the inbox reports the stopped step', async () => {
    const id = await built();
    await noteStoppedSteps(scene.world.ports);
    expect(await stops()).toEqual([]);
    scene.world.pass(11 * MINUTE);
    await noteStoppedSteps(scene.world.ports);
    expect(await stops()).toMatchObject([{ package_id: id, kind: 'decision', offers: ['remind'] }]);
    expect((await stops())[0]?.sentence).toBe(
      `The workflow feature has stopped: Ann (agent 2) completed step build (${id}), but passed nothing on to Eve for step review.`,
    );
  });

  it('the reminder about a stopped workflow step is also true for a later agent with the persona of the receiver', async () => {
    const id = await built();
    scene.world.pass(11 * MINUTE);
    await noteStoppedSteps(scene.world.ports);
    const later = await scene.world.addAgent({ personaId: 2 });
    await scene.world.ports.store.write((tx) =>
      tx.saveAgent({ ...scene.ann, state: 'ended', endedAt: instantFromMs(scene.world.nowMs) }),
    );
    await scene.post('operator', `/${id}/remind`);
    await look();
    const last = scene.world.typed.at(-1);
    expect(last?.id).toContain(`-${later.id}-`);
    expect(last?.text).toContain(
      `package ${id} (step build of the workflow feature) is completed, but nothing was passed on to the next step.`,
    );
    expect(last?.text).not.toContain('you completed');
  });

  it('the inbox item about a stopped workflow step names the agent that completed the step, even after another agent was reminded', async () => {
    const id = await built();
    scene.world.pass(11 * MINUTE);
    await noteStoppedSteps(scene.world.ports);
    await scene.world.record({ type: 'agent_process_gone', agentId: scene.ann.id, detail: 'gone' });
    const other = await scene.world.addAgent({ personaId: 2 });
    await scene.post('operator', `/${id}/remind`);
    await look();
    expect((await scene.get('operator', `/${id}`)).body.notified).toMatchObject({ agent_id: other.id });
    expect((await stops())[0]?.sentence).toContain('Ann (agent 2) completed step build');
  });

  it('[F35] a stopped workflow step is reported in the inbox although the clock was set back by a day', async () => {
    const id = await built();
    scene.world.nowMs -= 24 * 60 * MINUTE;
    scene.world.pass(11 * MINUTE);
    await noteStoppedSteps(scene.world.ports);
    expect(await stops()).toMatchObject([{ package_id: id }]);
  });

  it('a stopped workflow step is no longer reported after its agent has passed the work on', async () => {
    await built();
    scene.world.pass(11 * MINUTE);
    await noteStoppedSteps(scene.world.ports);
    const next = await scene.create(scene.ann, {
      from: { agent: ANN },
      to: { agent: 'reviewer-eve-3', reason: 'Built' },
      context: { summary: 'The 12 endpoints of docs/api.md are built', artifacts: [], open_questions: [] },
    });
    expect(next.status).toBe(201);
    await noteStoppedSteps(scene.world.ports);
    expect(await stops()).toEqual([]);
  });
});

describe('[D14] [package P39] the files of a gate', () => {
  const sha256 = 'a'.repeat(64);
  const contents = async (id: string) =>
    (await scene.get<PackageContents>('operator', `/${id}/contents`)).body.artifacts;
  const keep = () => createPackageWriter(scene.world.ports, createHealth(scene.world.ports)).flush();

  it('for each file of a gate, Baton shows the lines that changed since the package was sealed', async () => {
    scene.world.texts.set('docs/api.md', { text: 'one\ntwo\nthree\n', sha256 });
    const { body } = await scene.create(scene.con, gatePackage());
    await keep();
    expect((await contents(body.id))[0]).toMatchObject({ path: 'docs/api.md', state: 'as_sealed', diff: '' });
    scene.world.texts.set('docs/api.md', { text: 'one\n2\nthree\n', sha256: 'b'.repeat(64) });
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'b'.repeat(64), bytes: 12 });
    expect((await contents(body.id))[0]).toMatchObject({
      state: 'changed',
      sealed: { text: 'one\ntwo\nthree\n', why_not: null },
      now: { text: 'one\n2\nthree\n' },
      diff: '  one\n- two\n+ 2\n  three\n  ',
    });
    expect((await scene.get(scene.con, `/${body.id}/contents`)).status).toBe(403);
  });

  it('[package P21] with the files of a package, Baton returns the version of the package that a decision must name', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    const shown = async () => (await scene.get<PackageContents>('operator', `/${body.id}/contents`)).body;
    expect(await shown()).toMatchObject({ package_seen: body.seen, seen: body.seen });
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'b'.repeat(64), bytes: 12 });
    const changed = await shown();
    expect(changed.package_seen).toBe(body.seen);
    expect(changed.seen).not.toBe(body.seen);
    // Baton refuses the decision, because it names the old version. Baton must still record that the file has changed.
    await scene.post('operator', `/${body.id}/decide`, { option: 'approve', seen: body.seen });
    expect(await shown()).toMatchObject({ package_seen: changed.seen, seen: changed.seen });
  });

  it('[package P21] if a file changes after Baton computed its hash and before Baton reads its text, Baton does not show the text', async () => {
    scene.world.texts.set('docs/api.md', { text: 'one\n', sha256 });
    const { body } = await scene.create(scene.con, gatePackage());
    scene.world.texts.set('docs/api.md', { text: 'two\n', sha256: 'b'.repeat(64) });
    expect((await contents(body.id))[0]).toMatchObject({
      state: 'as_sealed',
      now: { text: null, why_not: 'the file changed while Baton read it' },
    });
  });

  it('if a file of a gate cannot be shown, Baton says why', async () => {
    scene.world.texts.set('docs/api.md', { text: `key ${'ghp_'}${'a1B2'.repeat(9)}\n`, sha256 });
    const { body } = await scene.create(scene.con, gatePackage());
    await keep();
    expect(scene.world.kept.get(sha256)).not.toContain('ghp_a1B2');
    scene.world.texts.set('docs/api.md', { whyNot: 'the file is not UTF-8 text' });
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'b'.repeat(64), bytes: 12 });
    expect((await contents(body.id))[0]).toMatchObject({
      diff: null,
      now: { text: null, why_not: 'the file is not UTF-8 text' },
    });
  });
});
