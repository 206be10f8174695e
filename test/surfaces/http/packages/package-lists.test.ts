import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackageList, PackageReport } from '../../../../src/contract/packages/package-resources.ts';
import { delegation, gatePackage, PackageScene } from './package-scene.ts';

let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
afterEach(() => scene.api.remove());

const listed = async (query: string, by: 'operator' | 'ann' = 'operator') => {
  const { body } = await scene.get<PackageList>(by === 'ann' ? scene.ann : 'operator', query);
  return { ids: body.packages.map(({ id }) => id.slice(-1)).join(''), next: body.next };
};

describe('the list of packages', () => {
  it('the list of packages can be filtered by state, type, agent and text', async () => {
    for (const given of [delegation(), gatePackage(), delegation(), gatePackage()])
      await scene.create(scene.con, given);
    await scene.accept(scene.ann, 'HO-2026-003');
    expect(await listed('')).toEqual({ ids: '4321', next: null });
    expect(await listed('?limit=3')).toEqual({ ids: '432', next: 'HO-2026-002' });
    expect(await listed('?limit=3&before=HO-2026-002')).toEqual({ ids: '1', next: null });
    expect(await listed('?limit=2&type=gate')).toEqual({ ids: '42', next: null });
    expect(await listed('?limit=1&type=gate')).toEqual({ ids: '4', next: 'HO-2026-004' });
    expect(await listed('?limit=1&type=gate&before=HO-2026-004')).toEqual({ ids: '2', next: null });
    expect(await listed('?state=accepted')).toEqual({ ids: '3', next: null });
    expect(await listed('?agent=reviewer-ann-2')).toEqual({ ids: '31', next: null });
    expect(await listed('?text=BLOCKING')).toEqual({ ids: '42', next: null });
    expect(await listed('?text=nowhere')).toEqual({ ids: '', next: null });
    // An agent must see only its own packages, whichever filter it uses.
    expect(await listed('?agent=human', 'ann')).toEqual({ ids: '', next: null });
    expect(await listed('?type=delegation', 'ann')).toEqual({ ids: '31', next: null });
  });
});

describe('the report on a package', () => {
  const reported = async (id: string) => (await scene.get<PackageReport>('operator', `/${id}/report`)).body;

  it('the report on a package compares each artifact with its hash in the seal', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    const before = scene.events().length;
    const one = { path: 'docs/api.md', sealed: 'a'.repeat(64) };
    expect((await reported(body.id)).artifacts).toEqual([{ ...one, now: 'a'.repeat(64), state: 'as_sealed' }]);
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'b'.repeat(64), bytes: 121 });
    const changed = await reported(body.id);
    expect(changed.artifacts).toEqual([{ ...one, now: 'b'.repeat(64), state: 'changed' }]);
    expect([changed.blocked, changed.unusable]).toEqual([true, ['docs/api.md']]);
    scene.world.artifacts.delete('docs/api.md');
    expect((await reported(body.id)).artifacts).toEqual([{ ...one, now: null, state: 'missing' }]);
    expect(scene.events()).toHaveLength(before);
  });

  it('if a draft cannot be sealed, the report on the draft says why', async () => {
    const vague = delegation({ expectations: { deliverable: 'A report', success_criteria: ['TBD'] } });
    const { body } = await scene.create(scene.con, vague, { seal: false });
    const report = await reported(body.id);
    const [found] = report.findings.filter(({ severity }) => severity === 'error');
    expect([report.blocked, found?.rule, found?.pointer]).toEqual([
      true,
      'HP005',
      '/handoff/expectations/success_criteria/0',
    ]);
    const waiver = { rule: 'HP005', why: 'A spike', until: '2027-01-01T00:00:00Z' };
    await scene.post('operator', `/${body.id}/waive`, waiver);
    expect((await reported(body.id)).blocked).toBe(false);
  });

  it('an agent that is neither sender nor receiver of a package cannot read the report on the package', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    expect((await scene.get(scene.ann, `/${body.id}/report`)).status).toBe(404);
  });
});
