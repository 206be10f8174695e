import { describe, expect, it } from 'vitest';
import { DEFAULT_BEHAVIOUR, type PackageScript } from '../../src/practice/behaviour.ts';
import type { Action, Observation } from '../../src/practice/brain/action.ts';
import { Memory } from '../../src/practice/brain/memory.ts';
import { planTurn } from '../../src/practice/brain/plan-turn.ts';

const WAITS = 'Baton: package HO-2026-001 (delegation) from ada-1 waits for you. Read it and so on. [baton:package-x]';
const UNKNOWN =
  'The connection to Baton was lost, so it is not known whether the request was performed: socket hang up.';

const received = {
  package: {
    id: 'HO-2026-001',
    type: 'delegation',
    from: 'ada-1',
    to: 'sam-2',
    state: 'pending',
    criteria: [{ id: 'C-001', text: 'Every point has a finding' }],
    package: { context: { summary: 'Written.' }, expectations: { deliverable: 'Findings' } },
  },
};

/** Plays one turn of an agent called Sam. The function `answer` gives the answers of Sam's tools. */
function turn(
  prompt: string,
  answer: (tool: string, nth: number) => Observation,
  packages: Record<string, PackageScript>,
) {
  const plan = planTurn(prompt, {
    name: 'Sam',
    projectName: 'p',
    memory: new Memory(),
    behaviour: { ...DEFAULT_BEHAVIOUR, packages },
    contextPercent: () => 0,
    exists: () => false,
  });
  const done: Action[] = [];
  const calls = new Map<string, number>();
  let seen: Observation = { ok: true, text: '' };
  for (let step = plan.next(seen); !step.done; step = plan.next(seen)) {
    done.push(step.value);
    seen = { ok: true, text: '' };
    if (step.value.kind !== 'mcp') continue;
    const { tool } = step.value;
    calls.set(tool, (calls.get(tool) ?? 0) + 1);
    seen = answer(tool, calls.get(tool) ?? 0);
  }
  return { tools: done.flatMap((action) => (action.kind === 'mcp' ? [action.tool] : [])), done };
}

const usual = (tool: string): Observation => ({
  ok: true,
  text: `A sentence.\n${JSON.stringify(tool === 'handoff_receive' ? received : { id: 'HO-2026-002' })}`,
});
const SCRIPTS = { Sam: { writes: 'docs/findings.md' } };

describe('a practice agent that gets a package announcement', () => {
  it.each([
    ['one package that waits', WAITS],
    ['two packages that wait', 'Baton: 2 packages wait for you: HO-2026-001, HO-2026-002. [baton:package-x]'],
    [
      'a package without a result',
      'Baton: package HO-2026-001 from ada-1, which you accepted, has no result yet. [baton:package-x]',
    ],
  ])('without a practice script, the practice agent does nothing about %s and says so', (_, notice) => {
    expect(turn(notice, usual, {}).done.map(({ kind }) => kind)).toEqual(['think', 'say']);
  });

  it('the practice agent ignores a package if the practice script has no entry for the agent', () => {
    expect(turn(WAITS, usual, {}).tools).toEqual([]);
    expect(turn(WAITS, usual, { Ada: { writes: 'x.md' } }).tools).toEqual([]);
  });

  it('the practice agent accepts a delegation, does the work and returns the result', () => {
    const { tools, done } = turn(WAITS, usual, SCRIPTS);
    expect(tools).toEqual(['handoff_receive', 'handoff_ack', 'handoff_return']);
    expect(done).toContainEqual(expect.objectContaining({ kind: 'write', path: 'docs/findings.md' }));
  });

  it('if several packages wait, the practice agent handles the oldest package first', () => {
    const rows = ['HO-2026-003', 'HO-2026-002', 'HO-2026-001'].map((id, index) => ({
      id,
      type: 'delegation',
      state: index === 1 ? 'clarifying' : 'pending',
    }));
    const answer = (tool: string): Observation =>
      tool === 'handoff_inbox' ? { ok: true, text: `${JSON.stringify({ packages: rows })}` } : usual(tool);
    const several = 'Baton: 3 packages wait for you: HO-2026-001 (delegation from ada-1) and so on. [baton:package-x]';
    const { tools, done } = turn(several, answer, SCRIPTS);
    const each = ['handoff_receive', 'handoff_ack', 'handoff_return'];
    expect(tools).toEqual(['handoff_inbox', ...each, ...each]);
    const read = done.flatMap((action) => (action.kind === 'mcp' && action.tool === each[0] ? [action.input] : []));
    expect(read).toEqual([{ id: 'HO-2026-001' }, { id: 'HO-2026-003' }]);
  });

  it('if the outcome of a tool call is unknown, the practice agent repeats the call', () => {
    const broken = (tool: string, nth: number): Observation => {
      if (tool !== 'handoff_receive' && nth === 1) return { ok: false, text: UNKNOWN };
      return usual(tool);
    };
    const { tools, done } = turn(WAITS, broken, SCRIPTS);
    expect(tools).toEqual([
      'handoff_receive',
      ...['ack', 'return'].flatMap((verb) => [`handoff_${verb}`, `handoff_${verb}`]),
    ]);
    expect(done.at(-1)).toEqual({ kind: 'say', text: 'I gave HO-2026-001 back with HO-2026-002.' });
  });

  it('if a tool call is refused, the practice agent stops and reports the refusal', () => {
    const refused = (tool: string): Observation =>
      tool === 'handoff_ack' ? { ok: false, text: 'Not covered: C-001.' } : usual(tool);
    const { tools, done } = turn(WAITS, refused, SCRIPTS);
    expect(tools).toEqual(['handoff_receive', 'handoff_ack']);
    expect(done.at(-1)).toMatchObject({ text: 'I could not go on with HO-2026-001: Not covered: C-001.' });
  });
});
