import { describe, expect, it } from 'vitest';
import type { PackageInput } from '../../../src/domain/packages/content/package.ts';
import type { StoredPackage } from '../../../src/domain/packages/stored-package.ts';
import {
  type Workflow,
  type WrittenWorkflow,
  workflowOf,
  workflowProblem,
} from '../../../src/domain/workflows/workflow.ts';
import {
  chainsOf,
  isGateOf,
  stateBehind,
  wasShown,
  withReceiver,
  withState,
  withStepNames,
  workflowPositionOf,
} from '../../../src/domain/workflows/workflow-position.ts';
import { validateWorkflow } from '../../../src/main/workflow-file.ts';
import { fresh } from '../packages/package-kit.ts';

const WRITTEN: WrittenWorkflow = {
  name: 'feature',
  steps: [
    { step: 'specify', persona: 'ann', gate: { type: 'blocking', name: 'Spec review', items: ['Complete'] } },
    { step: 'build', agent: 'con', deliverable: 'The code of the specification' },
    { step: 3, persona: 'eve' },
  ],
};
const WORKFLOW: Workflow = workflowOf(WRITTEN);

const content = (from: string, to: string, over: Partial<PackageInput> = {}): PackageInput => ({
  from: { agent: from },
  to: { agent: to, reason: 'r' },
  context: { summary: 's' },
  ...over,
});

/** Creates a sealed package of the chain HO-2026-001. `step` is the workflow step that the package begins. */
function stored(
  id: string,
  from: string,
  to: string,
  more: Partial<StoredPackage> & { state?: string } = {},
): StoredPackage {
  const { state = 'accepted', ...over } = more;
  const record = { ...fresh(), id, from, to, type: 'sequential', state, revision: 1 } as StoredPackage['record'];
  const lineage = { parent: null, root: 'HO-2026-001', hop: 0, supersedes: null, returnsFor: null };
  return { record, lineage, content: content(from, to), ...over } as StoredPackage;
}
const begins = (step: string | number) => ({ step: { workflow: 'feature', step } });
const under = (parent: string) => ({
  lineage: { parent, root: 'HO-2026-001', hop: 1, supersedes: null, returnsFor: null },
});

describe('a workflow file', () => {
  const steps = (...given: object[]) =>
    workflowProblem({ name: 'w', steps: given as WrittenWorkflow['steps'] })?.sentence;
  it('[package P27] a workflow is refused if one of its steps has no agent or occurs twice', () => {
    expect(workflowProblem(WRITTEN)).toBeUndefined();
    expect(steps({ step: 1 })).toContain('either an agent or a persona');
    expect(steps({ step: 1, agent: 'a', persona: 'a' })).toContain('not both');
    expect(steps({ step: 1, agent: 'human' })).toContain('"human"');
    expect(steps({ step: 1, agent: 'a' }, { step: '1', agent: 'b' })).toContain('twice');
    expect(steps({ step: 1, agent: 'a' }, { step: 2, persona: 'a' })).toContain('combine the two steps');
    const gate = { type: 'blocking', name: 'g', items: ['x'] };
    expect(steps({ step: 1, agent: 'a', gate })).toContain('last step');
    expect(steps({ step: 1, agent: 'a', deliverable: 'token ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8' })).toContain(
      'secret',
    );
  });

  it.each([
    ['workflow: [', 1, 'bracket'],
    ['workflow:\n  name: w\n  steps:\n    - step: 1\n      agent: &a x\n', 5, 'anchor'],
    ['workflow:\n  name: w\n  steps:\n    - step: 1\n      agent: a\n    - step: 1\n      agent: b\n', 6, 'twice'],
    ['workflow:\n  name: w\n  steps:\n    - step: 1\n      agent: a\n      run: rm -rf x\n', 6, 'key is unknown'],
    ['workflow:\n  name: w\n', 2, 'steps is missing'],
    ['handoff: {}\n', null, 'workflow is missing'],
    [`workflow: {name: ${'x'.repeat(200_000)}}`, null, 'larger'],
  ])(
    '[package P27] the refusal of an invalid workflow file gives the line of the mistake (case %#)',
    (text, line, sentence) => {
      const read = validateWorkflow(text);
      expect(read).toMatchObject({ kind: 'bad', line });
      expect(JSON.stringify(read)).toContain(sentence);
      expect(JSON.stringify(read)).not.toContain('rm -rf');
    },
  );
});

describe('the workflow position of a sender', () => {
  const standing = (from: string, begun: StoredPackage[] = [], chain = begun, except: string[] = []) =>
    workflowPositionOf(WORKFLOW, { from, begun, chainOf: () => chain, except });
  const at = (from: string, begun?: StoredPackage[], chain?: StoredPackage[], except?: string[]) =>
    standing(from, begun, chain, except)?.next.step;

  it('[package P28] only the agent of the first step or a person can send the first package of a workflow', () => {
    expect([at('ann'), at('human'), at('con'), at('eve')]).toEqual(['build', 'specify', undefined, undefined]);
  });

  it('[package P28] an agent is at the workflow step of the package that it accepted', () => {
    const one = stored('HO-2026-001', 'ann', 'con', begins('build'));
    expect(at('con', [one])).toBe(3);
    // Eve has received only a request, which begins no step. Eve therefore has no position in the workflow.
    expect(at('eve', [stored('HO-2026-002', 'con', 'eve')])).toBeUndefined();
  });

  it('[package P28] after sending the next package, an agent is at no step of the workflow', () => {
    const one = stored('HO-2026-001', 'ann', 'con', begins('build'));
    const two = (state: string) =>
      stored('HO-2026-002', 'con', 'eve', { ...under('HO-2026-001'), ...begins(3), state });
    for (const state of ['pending', 'clarifying', 'accepted', 'completed'])
      expect(at('con', [one], [one, two(state)])).toBeUndefined();
    for (const state of ['draft', 'rejected', 'failed', 'cancelled'])
      expect(at('con', [one], [one, two(state)])).toBe(3);
    expect(at('con', [one], [one, two('pending')], ['HO-2026-002'])).toBe(3);
  });

  it('[package P28] a package under other names of its sender and receiver gets their names in the workflow', () => {
    const ann = standing('ann');
    const person = standing('human');
    if (ann === undefined || person === undefined) throw new Error('Ann and the person have a position');
    const named = withStepNames(content('agent-1', 'agent-2'), ann);
    expect([named.from.agent, named.to]).toEqual(['ann', { agent: 'con', reason: 'r' }]);
    const begun = withStepNames(content('human', 'specifier'), person);
    expect([begun.from.agent, begun.to.agent]).toEqual(['human', 'ann']);
  });

  it('[package P28] after the last step, an agent is at no step of the workflow', () => {
    expect(at('eve', [stored('HO-2026-001', 'con', 'eve', begins(3))])).toBeUndefined();
    const other = { step: { workflow: 'other', step: 'build' } };
    expect(at('con', [stored('HO-2026-001', 'ann', 'con', other)])).toBeUndefined();
  });

  it("[package P28] fields that a package omits are filled in from the sender's workflow step", () => {
    const begun = standing('ann');
    if (begun === undefined) throw new Error('none');
    const filled = withState(withReceiver(content('ann', 'next'), begun), begun);
    expect(filled).toMatchObject({
      to: { agent: 'con' },
      expectations: { deliverable: 'The code of the specification' },
      workflow_state: {
        name: 'feature',
        current_step: 'build',
        completed_steps: ['specify'],
        remaining_steps: ['build', 3],
      },
    });
    const said = { workflow_state: stateBehind(begun), expectations: { deliverable: 'Other' } };
    expect(withState(content('ann', 'con', said), begun)).toMatchObject(said);
  });

  it('a rejected package does not change the current step of its chain', () => {
    const one = stored('HO-2026-001', 'ann', 'con', begins('build'));
    const two = stored('HO-2026-002', 'con', 'eve', { ...under('HO-2026-001'), ...begins(3), state: 'rejected' });
    expect(chainsOf(WORKFLOW, [one, two])).toMatchObject([{ root: 'HO-2026-001', state: { current_step: 'build' } }]);
  });
});

describe('the gate of a workflow step', () => {
  const standing = workflowPositionOf(WORKFLOW, { from: 'ann', begun: [], chainOf: () => [], except: [] });
  const artifacts = (...paths: string[]) => ({ context: { summary: 's', artifacts: paths.map((path) => ({ path })) } });
  const gate = (over: object = {}, more: Partial<PackageInput> = {}) =>
    stored('HO-2026-009', 'ann', 'human', {
      content: content('ann', 'human', {
        gate: { type: 'blocking', name: 'Spec review', step: 'specify', ...over },
        validation_request: { items: ['Complete', 'Short'] },
        ...artifacts('a.md', 'b.md'),
        ...more,
      }),
    });
  const holds = (of: StoredPackage, from = 'ann') => standing !== undefined && isGateOf(of, standing, from);

  it('[package P29] a package is the gate of a step only if author, name, step, kind and items are as in the workflow', () => {
    expect(holds(gate())).toBe(true);
    expect(holds(gate({ name: 'Other' }))).toBe(false);
    expect(holds(gate({ step: 'build' }))).toBe(false);
    expect(holds(gate({ type: 'non_blocking' }))).toBe(false);
    expect(holds(gate({}, { validation_request: { items: ['Short'] } }))).toBe(false);
    expect(holds(gate(), 'con')).toBe(false);
  });

  it('[package P21] an approval covers only the artifacts and decisions that the person saw in the gate', () => {
    const decisions = (id: string) => ({ decisions: [{ id, decision: 'JWT', rationale: 'r' }] });
    const shown = gate({}, { context: { ...artifacts('a.md', 'b.md').context, ...decisions('D-001') } });
    const next = (path: string, id: string) =>
      wasShown(shown, content('ann', 'con', { context: { ...artifacts(path).context, ...decisions(id) } }));
    expect([next('a.md', 'D-001'), next('c.md', 'D-001'), next('a.md', 'D-002')]).toEqual([true, false, false]);
  });
});
