import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Persona } from '../../../src/contract/resources.ts';
import { delegation, gatePackage } from '../../surfaces/http/packages/package-scene.ts';
import { PackageProcess } from './package-process.ts';

/** Tests the answers of `baton package` to the operator in the real product. */
let scene: PackageProcess;
beforeAll(async () => {
  scene = await new PackageProcess().begin();
});
afterAll(() => scene.baton.cleanUp());

const own = (to: string) => ({
  handoff: { ...delegation({ from: { agent: 'human' }, to: { agent: to, reason: 'Knows the API' } }) },
});

describe('the answers of `baton package` to the operator', () => {
  it("if no agent has the receiver's persona, `baton package create` prints the command that starts such an agent", async () => {
    const { body: eve } = await scene.baton.call<Persona>('POST', '/api/personas/register', {
      ...{ role: 'tester', name: 'Eve' },
    });
    const file = scene.file('eve.yaml', own(eve.slug));
    const made = await scene.cli('operator', 'package', 'create', file, '--project', scene.projectPath);
    const start = `baton agent start --project ${scene.projectId} --persona ${eve.slug}`;
    expect(made.stdout).toContain(`No agent in the project has the persona ${eve.slug} now`);
    expect(made.stdout).toContain(start);
    const id = /HO-\d+-\d+/.exec(made.stdout)?.[0] ?? '';
    expect((await scene.cli('operator', 'package', 'show', id)).stdout).toContain(start);
    const reminded = await scene.cli('operator', 'package', 'remind', id);
    expect([reminded.code, reminded.stdout]).toEqual([1, '']);
    expect(reminded.stderr).toContain('so no agent was reminded');
  });

  it('if the receiver is a live agent, `baton package create` prints no start command, and `baton package remind` names the receiver', async () => {
    const file = scene.file('ann.yaml', own('reviewer-ann-2'));
    const made = await scene.cli('operator', 'package', 'create', file, '--project', scene.projectPath);
    expect(made.stdout).toMatch(/is pending, from human to reviewer-ann-2\n$/);
    const id = /HO-\d+-\d+/.exec(made.stdout)?.[0] ?? '';
    const { code, stdout } = await scene.cli('operator', 'package', 'remind', id);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Baton will remind reviewer-ann-2 of ${id}`)]);
  });

  it('`baton package decide` prints the decision, its conditions and the agent that is told about the decision', async () => {
    const { body } = await scene.create(gatePackage());
    const decide = ['package', 'decide', body.id, 'approve', '--condition', 'Tests stay green'];
    const { code, stdout } = await scene.cli('operator', ...decide);
    expect(code).toBe(0);
    expect(stdout).toContain(`You approved ${body.id}, on condition: Tests stay green. Baton tells developer-con-1.`);
  });
});
