import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackageLint } from '../../../../src/contract/packages/package-resources.ts';
import type { ErrorBody } from '../../../../src/contract/resources.ts';
import { instantFromMs } from '../../../../src/domain/instant.ts';
import { delegation, PackageScene } from './package-scene.ts';

/** Tests packages that are sent as the text of a file, as the page sends them. */
let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
afterEach(() => scene.api.remove());

const printed = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/packages/seed-004/${name}.yaml`, import.meta.url), 'utf8');
const byOperator = (text: string): string => text.replace(/(from:\n +agent: )\S+/, '$1human');
const addRole = (role: string, name: string): Promise<unknown> =>
  scene.world.ports.store.write((tx) =>
    tx.insertPersona(
      { role, name, status: 'active', createdAt: instantFromMs(scene.world.nowMs) },
      (id) => `${role}-${name.toLowerCase()}-${id}`,
    ),
  );

describe('a package sent as text', () => {
  it('[004 Delegation (Specialist)] a package is created once for each idempotency key', async () => {
    await addRole('security-check', 'Sam');
    const text = byOperator(printed('delegation'));
    const first = await scene.create('operator', text, { project_id: 1, key: 'k' });
    expect([first.body.error, first.status, first.body.to]).toEqual([undefined, 201, 'security-check']);
    const again = await scene.create('operator', text, { project_id: 1, key: 'k' });
    expect(again.body.id).toBe(first.body.id);
  });

  it('the API accepts a package that is sent as JSON', async () => {
    const value = delegation({ from: { agent: 'human' } });
    for (const text of [JSON.stringify({ handoff: value }, null, 2), JSON.stringify(value, null, '\t')])
      expect((await scene.create('operator', text, { project_id: 1, seal: false })).body).toMatchObject({
        state: 'draft',
        from: 'human',
      });
  });

  it('[004 Sequential (Workflow)] [package P15] the operator cannot send a package in the name of an agent', async () => {
    const { status, body } = await scene.create('operator', printed('sequential'), { project_id: 1 });
    expect([status, body.error]).toEqual([
      403,
      'This package is from specification, but you can only send packages from human or orchestrator.',
    ]);
    expect(body.hint).toContain('from: { agent: human }');
  });

  it('[package P12] the lint and the refusal of a package have the same findings at the same lines', async () => {
    const text = byOperator(printed('delegation')).replace('agent: security-check', 'agent: nobody-here');
    const line = text.split('\n').findIndex((each) => each.includes('nobody-here')) + 1;
    const asked = { package: text, project_id: 1 };
    const { body: lint } = await scene.post<PackageLint>('operator', '/lint', asked);
    const inLint = lint.findings.find(({ severity }) => severity === 'error');
    expect([lint.ok, inLint?.line]).toEqual([false, line]);
    const { body: refused } = await scene.post<ErrorBody>('operator', '', asked);
    expect(refused.findings?.find(({ severity }) => severity === 'error')).toEqual(inLint);
    const bare = text.replace(/^handoff:\n/, '').replace(/^ {2}/gm, '');
    const { body: second } = await scene.post<PackageLint>('operator', '/lint', { ...asked, package: bare });
    expect(second.findings.find(({ severity }) => severity === 'error')?.line).toBe(line - 1);
  });

  it('[package P2] a text that is not YAML is refused with the number of the faulty line', async () => {
    for (const path of ['', '/lint']) {
      const { status, body } = await scene.post<ErrorBody>('operator', path, {
        package: 'handoff:\n  from: "hunter2secret\n',
        project_id: 1,
      });
      expect([status, body.code, body.findings?.[0]]).toEqual([
        400,
        'package_refused',
        expect.objectContaining({ rule: 'HP001', line: expect.any(Number) }),
      ]);
      expect(JSON.stringify(body)).not.toContain('hunter2');
    }
  });
});
