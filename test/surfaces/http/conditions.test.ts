import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { announcePackages } from '../../../src/app/packages/announce-packages.ts';
import { packagesFromLog } from '../../../src/app/packages/rebuild-packages.ts';
import { createEffectRunner } from '../../../src/app/run-effects.ts';
import type { PackageInput } from '../../../src/contract/package.ts';
import { SealedPackage } from '../../../src/contract/package.ts';
import { workflowOf } from '../../../src/domain/workflow/workflow.ts';
import { type Detail, delegation, full, gatePackage, PackageScene, returnPackage } from './package-scene.ts';

let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
afterEach(async () => {
  const { rows, rebuilt } = scene.world.ports.store.read((tx) => ({
    rows: tx.packages({}),
    rebuilt: packagesFromLog(tx),
  }));
  expect(rebuilt).toEqual(rows);
  await scene.api.remove();
});

const ROTATE = 'Keys are rotated every 30 days';
const LOGGED = 'Every login is logged';
const decide = async (id: string, given: object): Promise<Detail> => {
  const { body } = await scene.get('operator', `/${id}`);
  return (await scene.post('operator', `/${id}/decide`, { option: 'approve', seen: body.seen, ...given })).body;
};
const approvedGate = async (conditions: readonly string[], over: object = {}): Promise<string> => {
  const { body } = await scene.create(scene.con, gatePackage(over));
  await decide(body.id, { conditions });
  return body.id;
};
const constraints = (detail: Detail) => (detail.package as unknown as PackageInput).expectations?.constraints;
const decisions = (detail: Detail) => (detail.package as unknown as PackageInput).context.decisions;
const K1 = { id: 'K-HO-2026-001-1', text: ROTATE, inherited_from: 'HO-2026-001' };

describe('a gate that is approved under conditions', () => {
  it('[004 Handoff to Human (Gate)] [package P34] gives them to the next package as constraints that its receiver covers', async () => {
    await approvedGate([ROTATE]);
    const { body } = await scene.create();
    expect(constraints(body)).toEqual(['Focus on authentication and sensitive data', K1]);
    expect(SealedPackage.safeParse(body.package).success).toBe(true);
    expect(body.to_cover).toContainEqual({ id: K1.id, text: ROTATE });
    await scene.post(scene.ann, `/${body.id}/receive`);
    const known = { ...full(body), covered_ids: full(body).covered_ids.filter((id) => id !== K1.id) };
    const short = await scene.post(scene.ann, `/${body.id}/ack`, known);
    expect([short.body.code, short.body.error]).toEqual(['acknowledgement_incomplete', expect.stringContaining(K1.id)]);
    expect((await scene.accept(scene.ann, body.id)).state).toBe('accepted');
    // What has its conditions already is not followed by another one with them.
    expect(constraints((await scene.create()).body)).toHaveLength(1);
  });

  it('[package P34] of which each was given with a single point: all of them hold, and none of what was withdrawn', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    await decide(body.id, { items: [0], conditions: ['Withdrawn'] });
    const asked = await decide(body.id, { option: 'question', reason: 'Why 15 minutes?' });
    const answers = [{ id: asked.questions[0]?.id, text: 'NIST SP 800-63B' }];
    await scene.post(scene.con, `/${body.id}/answer`, { epoch: asked.epoch, answers });
    await decide(body.id, { items: [0], conditions: [ROTATE] });
    const approved = await decide(body.id, { items: [1], conditions: [LOGGED] });
    expect([approved.state, approved.decision?.conditions]).toEqual(['accepted', [ROTATE, LOGGED]]);
    const next = (await scene.create(scene.con, delegation({ lineage: { parent: body.id } }))).body;
    expect(constraints(next)?.slice(1)).toEqual([K1, { ...K1, id: 'K-HO-2026-001-2', text: LOGGED }]);
  });

  it('[package P34] within a chain gives them to all that its sender passes on there, and to a draft when it is sealed', async () => {
    const { body: work } = await scene.create('operator', delegation({ from: { agent: 'human' } }), { project_id: 1 });
    await scene.accept(scene.ann, work.id);
    const from = { agent: 'reviewer-ann-2' };
    const { body: gate } = await scene.create(scene.ann, gatePackage({ from }));
    await decide(gate.id, { conditions: [ROTATE] });
    const to = { agent: 'developer-con-1', reason: 'Mends what was found' };
    const { body: draft } = await scene.create(scene.ann, delegation({ from, to }), { seal: false });
    expect(constraints(draft)).toHaveLength(1);
    const sealed = (await scene.post(scene.ann, `/${draft.id}/seal`, { epoch: draft.epoch })).body;
    const K2 = { id: `K-${gate.id}-1`, text: ROTATE, inherited_from: gate.id };
    expect(constraints(sealed)?.[1]).toEqual(K2);
    // Restated in the same words, or by id: it stands once.
    const expectations = { ...delegation().expectations, constraints: [ROTATE] };
    const again = (await scene.create(scene.ann, delegation({ from, to, expectations }))).body;
    expect(constraints(again)).toEqual([K2]);
    // A return has no constraints: there it is a decision that was taken.
    const back = returnPackage({ to: { agent: 'human', reason: 'Review completed' }, type: 'return' });
    expect(decisions((await scene.create(scene.ann, back)).body)).toHaveLength(1);
  });

  it('[package P34] gives them to who gets the return of it as decisions', async () => {
    const { body: work } = await scene.create();
    await scene.accept(scene.ann, work.id);
    const { body: gate } = await scene.create(scene.ann, gatePackage({ from: { agent: 'reviewer-ann-2' } }));
    await decide(gate.id, { conditions: [ROTATE] });
    const { body } = await scene.post(scene.ann, `/${work.id}/return`, { package: returnPackage() });
    expect(body.error).toBeUndefined();
    expect(decisions(body)?.at(-1)).toEqual({
      id: `K-${gate.id}-1`,
      decision: ROTATE,
      rationale: `A condition under which a person approved ${gate.id}`,
    });
  });

  it('[package P34] [package P29] behind a step of a workflow: they stand in the package that goes through', async () => {
    const gate = { type: 'blocking' as const, name: 'Spec review', items: ['All endpoints are there'] };
    const steps = [
      { step: 'specify', persona: 'developer-con-1', gate },
      { step: 'build', agent: 'reviewer-ann-2', deliverable: 'The 12 endpoints' },
    ];
    scene.world.workflow = { kind: 'workflow', workflow: workflowOf({ name: 'feature', steps }) };
    const { expectations: _, ...bare } = delegation({ to: { reason: 'The step is done' } });
    expect((await scene.create(scene.con, bare)).body.code).toBe('gate_not_passed');
    await decide('HO-2026-001', { conditions: [ROTATE] });
    expect(constraints((await scene.create(scene.con, bare)).body)).toEqual([K1]);
  });

  it('[package P34] has them stay when the package is written anew', async () => {
    await approvedGate([ROTATE]);
    const { body } = await scene.create();
    await scene.post(scene.ann, `/${body.id}/receive`);
    await scene.post(scene.ann, `/${body.id}/ask`, { questions: ['Which?'], content_sha256: body.content_sha256 });
    const answers = [{ id: 'Q-1-1', text: 'The public one' }];
    const anew = { epoch: body.epoch, answers, package: delegation() };
    const answered = (await scene.post(scene.con, `/${body.id}/answer`, anew)).body;
    expect(constraints(answered)).toEqual(['Focus on authentication and sensitive data', K1]);
  });

  it('[package P34] is told to its author with their number, and never by their words', async () => {
    await approvedGate([ROTATE, LOGGED]);
    await announcePackages(scene.world.ports);
    const runner = createEffectRunner(scene.world.ports);
    runner.wake();
    await runner.stop();
    const text = scene.world.typed[0]?.text ?? '';
    expect(text).toContain('approved your gate HO-2026-001 under 2 conditions: read them with the tool gate_list');
    expect(text).not.toContain('rotated');
  });

  it('[package P34] is not approved under a placeholder, which nobody could pass on', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    const refused = await decide(body.id, { conditions: ['[name of the owner]'] });
    expect([refused.code, refused.error]).toEqual(['bad_request', expect.stringContaining('[name of the owner]')]);
    expect((await scene.get('operator', `/${body.id}`)).body.state).toBe('awaiting_human');
  });
});

it('[package P34] what a person says of a package that was not understood is there for its receiver', async () => {
  const { body } = await scene.create();
  let now = body;
  await scene.post(scene.ann, `/${body.id}/receive`);
  for (let round = 1; round <= 4; round++) {
    const asked = { questions: [`Which, ${round}?`], content_sha256: now.content_sha256 };
    now = (await scene.post(scene.ann, `/${body.id}/ask`, asked)).body;
    if (now.state !== 'clarifying') break;
    const answers = now.questions.map(({ id }) => ({ id, text: 'The public one' }));
    now = (await scene.post(scene.con, `/${body.id}/answer`, { epoch: now.epoch, answers })).body;
  }
  expect(now.state).toBe('awaiting_human');
  await decide(body.id, { reason: 'The public API', conditions: [ROTATE] });
  const seen = (await scene.get(scene.ann, `/${body.id}`)).body;
  expect([seen.state, seen.decision]).toMatchObject([
    'delivered',
    { option: 'approve', reason: 'The public API', conditions: [ROTATE] },
  ]);
});
