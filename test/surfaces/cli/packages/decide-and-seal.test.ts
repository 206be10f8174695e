import { afterEach, beforeEach, expect, it } from 'vitest';
import { delegation, gatePackage, PackageScene } from '../../http/packages/package-scene.ts';
import { runInScene } from '../support/run-in-scene.ts';

let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
afterEach(() => scene.api.remove());

const run = (...argv: readonly string[]) => runInScene(scene, 'operator', 'package', ...argv);
const changeFile = () => scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'c'.repeat(64), bytes: 9 });

it('[package P21] the refusal of a second decision names the first decision, even if a file of the gate has changed since then', async () => {
  const { id } = (await scene.create(scene.con, gatePackage())).body;
  expect((await run('decide', id, 'approve')).code).toBe(0);
  changeFile();
  const again = await run('decide', id, 'approve');
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`${id} was already decided by operator`)]);
  expect(again.stderr).not.toContain('--seen');
});

it('if a file of a gate has changed, the command that the error suggests for a rejection names --reason', async () => {
  const { id } = (await scene.create(scene.con, gatePackage())).body;
  changeFile();
  const { code, stderr } = await run('decide', id, 'reject', '--reason', 'No');
  expect([code, stderr]).toEqual([1, expect.stringContaining(`decide ${id} reject --reason TEXT --seen VALUE`)]);
});

it('`baton package contents` prints the option --seen only while the package waits for a decision', async () => {
  const { id } = (await scene.create(scene.con, gatePackage())).body;
  expect((await run('contents', id)).stdout).toContain('--seen ');
  await run('decide', id, 'approve');
  expect((await run('contents', id)).stdout).not.toContain('--seen ');
  const other = (await scene.create(scene.con, delegation())).body.id;
  expect((await run('contents', other)).stdout).not.toContain('--seen ');
});

it('a decision about a package that waits for answers is refused with that reason, even if a file has changed', async () => {
  const { id } = (await scene.create(scene.con, gatePackage())).body;
  expect((await run('decide', id, 'question', '--reason', 'Which database?')).code).toBe(0);
  changeFile();
  const { code, stderr } = await run('decide', id, 'approve');
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${id} waits for answers to questions about it`)]);
  expect(stderr).not.toContain('--seen');
});

it('a decision about a draft is refused, and the error names the command that seals the draft', async () => {
  const { id } = (await scene.create(scene.con, gatePackage(), { seal: false })).body;
  const { code, stderr } = await run('decide', id, 'approve');
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${id} is a draft.`)]);
  expect(stderr).toContain(`baton package seal ${id}`);
});

it('if the operator rejects a package without a reason, the error names the option --reason', async () => {
  const { id } = (await scene.create(scene.con, gatePackage())).body;
  const { code, stderr } = await run('decide', id, 'reject');
  expect([code, stderr]).toEqual([1, expect.stringContaining(`baton package decide ${id} reject --reason TEXT`)]);
});

it('a canceled draft with placeholders cannot be sealed, and the error says that the draft is canceled', async () => {
  const todo = delegation({
    expectations: { deliverable: 'TODO: the result', success_criteria: ['TODO: how to check'] },
  });
  const { id } = (await scene.create(scene.con, todo, { seal: false })).body;
  expect((await run('cancel', id)).code).toBe(0);
  const { code, stderr } = await runInScene(scene, scene.con, 'package', 'seal', id);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${id} is canceled and can no longer be changed.`)]);
});

it('`baton package cancel` says that the package is canceled', async () => {
  const { id } = (await scene.create(scene.con, gatePackage())).body;
  expect((await run('cancel', id)).stdout).toContain(`${id} is canceled, owned by the `);
});
