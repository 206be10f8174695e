import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_FIELDS, newPackage } from '../../../../src/contract/packages/new-package.ts';
import { type Detail, gatePackage, PackageScene } from './package-scene.ts';

let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
afterEach(() => scene.api.remove());

const FIELDS = {
  ...NO_FIELDS,
  ...{ to: 'developer-con-1', reason: 'Con wrote the API', summary: 'docs/api.md has 12 endpoints' },
  ...{ deliverable: 'docs/risks.md with 3 risks', approval: true },
};

/** Sends Con a package whose result a person wants to approve, and lets Con accept the package. */
async function accepted(approval = true): Promise<Detail> {
  const { body } = await scene.create('operator', newPackage({ ...FIELDS, approval }), { project_id: 1 });
  return scene.accept(scene.con, body.id);
}
const complete = (id: string) => scene.post(scene.con, `/${id}/complete`);
const gate = async (lineage?: object): Promise<Detail> => {
  scene.world.pass(1_000);
  return (await scene.create(scene.con, gatePackage(lineage === undefined ? {} : { lineage }))).body;
};
const decide = ({ id, seen }: Detail, option: 'approve' | 'reject') =>
  scene.post('operator', `/${id}/decide`, { option, seen, reason: 'The third risk is missing' });

describe('[package P41] a package whose result a person wants to approve', () => {
  it.each([
    ['names the package as its parent', (id: string) => ({ parent: id })],
    ['names no parent', () => undefined],
  ])(
    '[package P41] an agent can complete the package only after its gate that %s is approved',
    async (_how, lineage) => {
      const { id } = await accepted();
      const early = await complete(id);
      expect([early.status, early.body.code]).toEqual([409, 'gate_not_passed']);
      expect(early.body.error).toContain(
        `a person wants to approve the result of ${id} first, and you have sent no gate`,
      );
      expect(early.body.hint).toContain(`lineage: { parent: ${id} }`);
      const raised = await gate(lineage(id));
      expect((await complete(id)).body.error).toContain(`your gate ${raised.id} is not decided yet`);
      await decide(raised, 'approve');
      expect((await complete(id)).body.state).toBe('completed');
    },
  );

  it('[package P41] an agent cannot complete the package if its newest gate was rejected', async () => {
    const { id } = await accepted();
    await decide(await gate({ parent: id }), 'approve');
    const second = await gate({ parent: id });
    await decide(second, 'reject');
    expect((await complete(id)).body.error).toContain(`your gate ${second.id} was not approved`);
    expect((await scene.get('operator', `/${id}`)).body.state).toBe('accepted');
  });

  it('[package P41] a gate from before the package, or from another chain, is no approval of the package', async () => {
    const other = await accepted(false);
    const before = await gate();
    await decide(before, 'approve');
    scene.world.pass(1_000);
    const { id } = await accepted();
    await decide(await gate({ parent: other.id }), 'approve');
    expect((await complete(id)).body.error).toContain('you have sent no gate');
  });

  it('[package P41] the person who asked for the approval is not refused for a missing gate', async () => {
    const { id } = await accepted();
    const answer = await scene.post('operator', `/${id}/complete`);
    expect(answer.body.code).not.toBe('gate_not_passed');
  });

  it('an agent completes a package without this constraint without a gate', async () => {
    const { id } = await accepted(false);
    expect((await complete(id)).body.state).toBe('completed');
  });
});
