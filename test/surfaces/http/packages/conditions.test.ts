import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEffectRunner } from '../../../../src/app/engine/run-effects.ts';
import { announcePackages } from '../../../../src/app/packages/background/announce-packages.ts';
import { packagesFromLog } from '../../../../src/app/packages/background/rebuild-packages.ts';
import type { PackageInput } from '../../../../src/contract/packages/package.ts';
import { SealedPackage } from '../../../../src/contract/packages/package.ts';
import { workflowOf } from '../../../../src/domain/workflows/workflow.ts';
import { type Detail, delegation, gatePackage, PackageScene } from './package-scene.ts';

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
const K1 = { id: 'K-HO-2026-001-1', text: ROTATE, inherited_from: 'HO-2026-001' };

describe('a gate approved under conditions', () => {
  it('[004 Handoff to Human (Gate)] [package P34] the conditions of an approval become constraints of all later packages in the chain', async () => {
    const id = await approvedGate([ROTATE]);
    const { body } = await scene.create(scene.con, delegation({ lineage: { parent: id } }));
    expect(constraints(body)).toEqual(['Focus on authentication and sensitive data', K1]);
    expect(SealedPackage.safeParse(body.package).success).toBe(true);
    expect(body.constraints).toContainEqual({ id: K1.id, text: ROTATE });
    await scene.accept(scene.ann, body.id);
    // The agent does not repeat the condition of the gate, so Baton must add the condition to the next package.
    await scene.addPersona('Eve');
    const on = { from: { agent: 'reviewer-ann-2' }, to: { agent: 'reviewer-eve-3', reason: 'A second opinion' } };
    const next = (await scene.create(scene.ann, delegation({ ...on, lineage: { parent: body.id } }))).body;
    expect(constraints(next)).toContainEqual(K1);
    // The condition applies only to the chain of its gate, so a package of another chain must not get it.
    expect(constraints((await scene.create()).body)).toHaveLength(1);
  });

  it('[package P34] if the items of a gate are approved one by one, the conditions of each item are kept', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    await decide(body.id, { items: [0], conditions: ['Withdrawn'] });
    const asked = await decide(body.id, { option: 'question', reason: 'Why 15 minutes?' });
    const answers = [{ id: asked.questions[0]?.id, text: 'NIST SP 800-63B' }];
    await scene.post(scene.con, `/${body.id}/answer`, { answers });
    await decide(body.id, { items: [0], conditions: [ROTATE] });
    const approved = await decide(body.id, { items: [1], conditions: [LOGGED] });
    expect([approved.state, approved.decision?.conditions]).toEqual(['completed', [ROTATE, LOGGED]]);
    const next = (await scene.create(scene.con, delegation({ lineage: { parent: body.id } }))).body;
    expect(constraints(next)?.slice(1)).toEqual([K1, { ...K1, id: 'K-HO-2026-001-2', text: LOGGED }]);
  });

  it('[package P34] the conditions of an approval are added to each later package of the same sender in the chain', async () => {
    const { body: work } = await scene.create('operator', delegation({ from: { agent: 'human' } }), { project_id: 1 });
    await scene.accept(scene.ann, work.id);
    const from = { agent: 'reviewer-ann-2' };
    const lineage = { parent: work.id };
    const { body: gate } = await scene.create(scene.ann, gatePackage({ from, lineage }));
    await decide(gate.id, { conditions: [ROTATE] });
    const to = { agent: 'developer-con-1', reason: 'Corrects what was found' };
    const { body: draft } = await scene.create(scene.ann, delegation({ from, to, lineage }), { seal: false });
    expect(constraints(draft)).toHaveLength(1);
    const sealed = (await scene.post(scene.ann, `/${draft.id}/seal`)).body;
    const K2 = { id: `K-${gate.id}-1`, text: ROTATE, inherited_from: gate.id };
    expect(constraints(sealed)?.[1]).toEqual(K2);
    // If the sender repeats the condition by its id, the package must still list the condition only once.
    const expectations = { ...delegation().expectations, constraints: [{ id: K2.id, text: ROTATE }] };
    const again = (await scene.create(scene.ann, delegation({ from, to, lineage, expectations }))).body;
    expect(constraints(again)).toEqual([{ id: K2.id, text: ROTATE }]);
  });

  it('[package P34] [package P29] the conditions of a workflow gate are added to the package that is sent after the approval of the gate', async () => {
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

  it('[package P34] if the author rewrites a package, the conditions of the approval stay in the package', async () => {
    const id = await approvedGate([ROTATE]);
    const { body } = await scene.create(scene.con, delegation({ lineage: { parent: id } }));
    await scene.post(scene.ann, `/${body.id}/receive`);
    await scene.post(scene.ann, `/${body.id}/ask`, { questions: ['Which?'] });
    const anew = { answers: [{ id: 'Q-1-1', text: 'The public one' }], package: delegation() };
    const answered = (await scene.post(scene.con, `/${body.id}/answer`, anew)).body;
    expect(constraints(answered)).toEqual(['Focus on authentication and sensitive data', K1]);
  });

  it('[package P34] the prompt about an approved gate tells the author of the gate the number of conditions, but not their text', async () => {
    await approvedGate([ROTATE, LOGGED]);
    await announcePackages(scene.world.ports);
    const runner = createEffectRunner(scene.world.ports);
    runner.wake();
    await runner.stop();
    const text = scene.world.typed[0]?.text ?? '';
    expect(text).toContain('approved your gate HO-2026-001 under 2 conditions. Read the decision with');
    expect(text).toContain('lineage.parent: HO-2026-001');
    expect(text).not.toContain('rotated');
  });

  it('[package P34] an approval is refused if one of its conditions is only a placeholder', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    const refused = await decide(body.id, { conditions: ['[name of the condition]'] });
    expect([refused.code, refused.error]).toEqual(['bad_request', expect.stringContaining('[name of the condition]')]);
    expect((await scene.get('operator', `/${body.id}`)).body.state).toBe('pending');
  });
});
