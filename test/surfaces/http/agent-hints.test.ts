import { afterEach, beforeEach, expect, it } from 'vitest';
import { PackageScene } from './packages/package-scene.ts';

let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
afterEach(() => scene.api.remove());

it('if Baton refuses a request of an agent, the hint does not suggest commands that only the operator may run', async () => {
  const call = (path: string, body?: object, token?: string) =>
    scene.api.call<{ hint?: string }>(body === undefined ? 'GET' : 'POST', path, body, token);
  const agent = scene.token(scene.con);
  const acknowledged = await call('/api/runs/999/ack', { proof: 'x', task: 'go on' }, agent);
  expect(acknowledged).toMatchObject({
    status: 404,
    body: { hint: 'Use the handoff number from the prompt that told you about the handoff document.' },
  });
  expect((await call('/api/packages/HO-2026-999', undefined, agent)).body.hint).toBe('List them: baton package list');
  expect((await call('/api/runs/999')).body.hint).toBe('List them: baton handoff list');
});
