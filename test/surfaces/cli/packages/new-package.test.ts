import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Agent } from '../../../../src/domain/agents/agent.ts';
import { type Detail, PackageScene } from '../../http/packages/package-scene.ts';
import { runInScene } from '../support/run-in-scene.ts';

let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
afterEach(() => scene.api.remove());

const WORK = [
  ...['--why', 'Reviewed the API', '--summary', 'docs/api.md has 12 endpoints', '--artifact', 'docs/api.md'],
  ...['--deliverable', 'docs/risks.md with 3 risks'],
];
const run = (by: Agent | 'operator', ...argv: readonly string[]) => runInScene(scene, by, 'package', 'new', ...argv);
const sent = async (by: Agent | 'operator', to: string): Promise<Detail> => {
  const place = by === 'operator' ? ['--project', '1'] : [];
  const { stdout, stderr } = await run(by, '--to', to, ...WORK, ...place, '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Detail;
};

describe('the receiver of baton package new', () => {
  it.each([
    ['the name of a persona', 'Ann', 'reviewer-ann-2'],
    ['the slug of a persona', 'reviewer-ann-2', 'reviewer-ann-2'],
    ['a role', 'reviewer', 'reviewer'],
    ['the number of an agent', 'agent-2', 'agent-2'],
  ])('`baton package new` accepts %s as the receiver', async (_, name, to) => {
    expect(await sent('operator', name)).toMatchObject({ state: 'pending', type: 'sequential', from: 'human', to });
  });

  it('`baton package new` refuses an unknown receiver', async () => {
    const zoe = await run('operator', '--to', 'Zoe', ...WORK, '--project', '1');
    expect([zoe.code, zoe.stderr]).toEqual([1, expect.stringContaining('Zoe')]);
    const agent = await run('operator', '--to', 'agent-21', ...WORK, '--project', '1');
    expect([agent.code, agent.stderr]).toEqual([1, expect.stringContaining('Unknown agent agent-21.')]);
  });

  it('`baton package new` refuses a package from the operator to the operator, and writes no file', async () => {
    const file = join(scene.api.home, 'own.yaml');
    for (const name of ['human', 'orchestrator']) {
      for (const more of [[file], [...WORK, '--project', '1']]) {
        const { code, stderr } = await run('operator', '--to', name, ...more);
        expect([code, stderr]).toEqual([
          1,
          expect.stringContaining('You cannot send a package to yourself: human and'),
        ]);
        expect(stderr).toContain('baton package agents');
      }
    }
    expect(existsSync(file)).toBe(false);
  });

  it('[004 Escalation (Human)] a package that an agent sends to the operator is an escalation', async () => {
    expect(await sent(scene.con, 'human')).toMatchObject({
      ...{ state: 'pending', type: 'escalation', from: 'developer-con-1', to: 'human', waiter: 'human' },
    });
    expect(await sent(scene.con, 'reviewer-ann-2')).toMatchObject({ from: 'developer-con-1', to: 'reviewer-ann-2' });
  });

  it('[004 Escalation (Human)] if an agent writes a package to the operator with `baton package new`, the file passes the lint', async () => {
    const file = join(scene.api.home, 'ask.yaml');
    const written = await run(scene.con, file, '--to', 'human', ...WORK, '--criterion', 'docs/risks.md exists');
    expect([written.code, written.stderr]).toEqual([0, '']);
    const { handoff } = parse(readFileSync(file, 'utf8')) as { handoff: Record<string, unknown> };
    expect(handoff).toMatchObject({ from: { agent: 'developer-con-1' }, to: { agent: 'human' } });
    expect([handoff.type, handoff.extensions]).toEqual([undefined, undefined]);
    const linted = await runInScene(scene, scene.con, 'package', 'lint', file);
    expect([linted.code, linted.stdout]).toEqual([0, expect.stringContaining('(escalation) can be sealed')]);
  });
});
