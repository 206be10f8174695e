import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEffectRunner } from '../../../../src/app/engine/run-effects.ts';
import { announcePackages } from '../../../../src/app/packages/background/announce-packages.ts';
import type { Part } from '../../../../src/surfaces/cli/output/ink.ts';
import { textOf } from '../../../../src/surfaces/cli/output/ink.ts';
import { packageLines, packageTable } from '../../../../src/surfaces/cli/packages/package-lines.ts';
import { delegation, gatePackage, PackageScene } from '../../http/packages/package-scene.ts';
import { runInScene } from '../support/run-in-scene.ts';

let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
afterEach(() => scene.api.remove());

const announce = async (): Promise<void> => {
  await announcePackages(scene.world.ports);
  const runner = createEffectRunner(scene.world.ports);
  runner.wake();
  await runner.stop();
};

const inText = (lines: readonly Part[][]): string[] => lines.map((line) => line.map(textOf).join(''));

/** Returns the line "waits for" of `baton package show`. This line names the party that must act next. */
async function waitsFor(id: string): Promise<string | undefined> {
  const { body } = await scene.get('operator', `/${id}`);
  return inText(packageLines(body)).find((line) => line.trim().startsWith('waits for'));
}

describe('[package P37] the line "waits for" of baton package show', () => {
  it('while a package waits for the agent that was notified, the line "waits for" names this agent', async () => {
    const { body } = await scene.create();
    await announce();
    expect(await waitsFor(body.id)).toMatch(/waits for +Ann \(agent 2\), notified .*, not opened, until /);
  });

  it('while a package waits for an answer, the line "waits for" names the person who must answer, not the agent that asked', async () => {
    const mine = delegation({ from: { agent: 'human' } });
    const { body } = await scene.create('operator', mine, { project_id: 1 });
    await announce();
    await scene.post(scene.ann, `/${body.id}/receive`);
    await scene.post(scene.ann, `/${body.id}/ask`, { questions: ['Which API?'] });
    expect(await waitsFor(body.id)).toMatch(/waits for +human, until /);
  });

  it('after the sender has answered a question, the line "waits for" names the receiver', async () => {
    const { body } = await scene.create();
    await announce();
    await scene.post(scene.ann, `/${body.id}/receive`);
    await scene.post(scene.ann, `/${body.id}/ask`, { questions: ['Which API?'] });
    await announce();
    expect(await waitsFor(body.id)).toMatch(/waits for +Con \(agent 1\), notified [^,]*, until /);
    await scene.post(scene.con, `/${body.id}/answer`, { answers: [{ id: 'Q-1-1', text: 'The public one' }] });
    expect(await waitsFor(body.id)).toMatch(/waits for +reviewer-ann-2, until /);
    expect((await scene.accept(scene.ann, body.id)).state).toBe('accepted');
    expect(await waitsFor(body.id)).toMatch(/waits for +reviewer-ann-2, until /);
  });

  it('if a package for a role was accepted by another agent than the notified one, the line "waits for" does not name the notified agent', async () => {
    const { body } = await scene.create(scene.con, delegation({ to: { agent: 'reviewer', reason: 'Any reviewer' } }));
    await announce();
    await scene.addPersona('Eve');
    const eve = await scene.world.addAgent({ personaId: 3 });
    expect((await scene.accept(eve, body.id)).state).toBe('accepted');
    expect(await waitsFor(body.id)).toMatch(/waits for +reviewer, until /);
  });
});

describe('baton package show of a gate', () => {
  it('[004 Handoff to Human (Gate)] `baton package show` prints the name, type, step and reason of a gate, so that a person can decide', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    const { stdout } = await runInScene(scene, 'operator', 'package', 'show', body.id);
    expect(stdout).toMatch(/gate +API approved \(blocking, step 3\)\n +reason +BLOCKING gate reached\n/);
  });

  it('[package P20] after a question of a person about a gate was answered, `baton package show` prints the question with its answer', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    const asked = await scene.post('operator', `/${body.id}/decide`, {
      option: 'question',
      reason: 'Why 15 minutes?',
      seen: body.seen,
    });
    const [question] = asked.body.questions;
    const answers = [{ id: question?.id, text: 'The threat model asks for it' }];
    await scene.post(scene.con, `/${body.id}/answer`, { answers });
    const { stdout } = await runInScene(scene, 'operator', 'package', 'show', body.id);
    expect(stdout).toContain(
      `  ${question?.id} Why 15 minutes?\n    answered by developer-con-1: The threat model asks for it\n`,
    );
  });
});

describe('baton package receive', () => {
  it("`baton package receive` prints the receiver's commands if an agent runs it, but not if the operator runs it", async () => {
    const { body } = await scene.create();
    const mine = await runInScene(scene, 'operator', 'package', 'receive', body.id);
    expect(mine.stdout).toContain('Only reviewer-ann-2 can accept or decline it.');
    expect(mine.stdout).not.toContain('baton package ack');
    const received = await runInScene(scene, scene.ann, 'package', 'receive', body.id);
    expect(received.stdout).toContain(`Accept it: baton package ack ${body.id} --task`);
  });
});

describe('[package P13] baton package waive', () => {
  const waive = (id: string, until: string) =>
    runInScene(scene, 'operator', 'package', 'waive', id, 'HP005', '--why', 'A spike', '--until', until);

  it('`baton package waive` prints the end time of the waiver, and `baton package show` lists the waiver', async () => {
    const { body } = await scene.create(scene.con, delegation(), { seal: false });
    const done = await waive(body.id, '2027-01-01T00:00:00Z');
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining(`HP005 is waived for ${body.id} until 202`)]);
    const shown = await runInScene(scene, 'operator', 'package', 'show', body.id);
    expect(shown.stdout).toMatch(/waived +HP005 until 202.* by operator: A spike/);
  });

  it('`baton package waive` refuses a time in the past and a text that is no time', async () => {
    const { body } = await scene.create(scene.con, delegation(), { seal: false });
    const past = await waive(body.id, '2020-01-01T00:00:00Z');
    expect([past.code, past.stderr]).toEqual([1, expect.stringContaining('2020-01-01T00:00:00Z, is in the past.')]);
    const odd = await waive(body.id, 'tomorrow');
    expect([odd.code, odd.stderr]).toEqual([
      1,
      expect.stringContaining('until must be a time with a time zone, such as 2027-01-01T00:00:00Z'),
    ]);
    expect((await scene.get('operator', `/${body.id}`)).body.waivers).toEqual([]);
    const waivers = [{ rule: 'HP005', why: 'A spike', until: '2020-01-01T00:00:00Z' }];
    const mine = delegation({ from: { agent: 'human' } });
    expect((await scene.create('operator', mine, { project_id: 1, waivers })).status).toBe(400);
  });
});

it('the list of packages marks a truncated summary', async () => {
  const { body } = await scene.create();
  const row = (summary: string) => inText(packageTable([{ ...body, summary }])).at(-1) ?? '';
  expect(row('x'.repeat(61))).toMatch(/ x{59}…$/);
  expect(row('x'.repeat(60))).toMatch(/ x{60}$/);
});
