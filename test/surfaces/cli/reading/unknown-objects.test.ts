import { afterEach, beforeEach, expect, it } from 'vitest';
import { PackageScene } from '../../http/packages/package-scene.ts';
import { runInScene } from '../support/run-in-scene.ts';

let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
afterEach(() => scene.api.remove());

const run = (...argv: readonly string[]) => runInScene(scene, 'operator', ...argv);

it('if a handoff record does not exist, the error names the record and the command that lists the records', async () => {
  const hint = 'List them: baton handoff list';
  const sentence = 'Handoff record 99 not found';
  for (const verb of ['show-record', 'resume-record'])
    expect([verb, await run('handoff', verb, '99')]).toEqual([
      verb,
      { code: 1, stdout: '', stderr: `${sentence}\n${hint}\n` },
    ]);
});
