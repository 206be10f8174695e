import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_BEHAVIOUR } from '../../src/practice/behaviour.ts';
import type { Action, Observation } from '../../src/practice/brain/action.ts';
import { composeHandoff } from '../../src/practice/brain/handoff/handoff-document.ts';
import { findHandoffPath } from '../../src/practice/brain/handoff/handoff-path.ts';
import { readHandoff } from '../../src/practice/brain/handoff/read-handoff.ts';
import { Memory } from '../../src/practice/brain/memory.ts';
import { planTurn } from '../../src/practice/brain/plan-turn.ts';
import { quoteForShell } from '../../src/practice/brain/quote-for-shell.ts';
import type { Situation } from '../../src/practice/brain/situation.ts';
import { classifySubmission } from '../../src/practice/submission.ts';

function situation(memory = new Memory(), files: readonly string[] = []): Situation {
  return {
    name: 'Ada',
    projectName: 'demo',
    memory,
    behaviour: DEFAULT_BEHAVIOUR,
    contextPercent: () => 61,
    exists: (path) => files.includes(path),
  };
}

function actionsOf(prompt: string, at: Situation, answer: (action: Action) => Observation): Action[] {
  const actions: Action[] = [];
  const plan = planTurn(prompt, at);
  for (let step = plan.next(); !step.done; step = plan.next(answer(step.value))) actions.push(step.value);
  return actions;
}

const fine = (text = '') => ({ ok: true, text });

describe('how the practice agent understands prompts', () => {
  it('the practice agent finds the document path in a prompt, with or without quotes', () => {
    const path = '/home/op/.baton/handoffs/7/a-b.md';
    for (const prompt of [`Write it to ${path}.`, `to \`${path}\` now`, `file:\n  ${path}\nthen`, `(${path})`]) {
      expect(findHandoffPath(prompt)).toBe(path);
    }
    expect(findHandoffPath('to "/home/a b/handoffs/c.md"')).toBe('/home/a b/handoffs/c.md');
    expect(findHandoffPath('to notes/handoffs/c.md and /x/handoffs/c.txt')).toBeUndefined();
  });

  it('the practice agent does the first item of its plan that is not done', () => {
    const memory = new Memory();
    memory.done.push('second');
    const plan = '- [x] first\n- [ ] second\n- [ ] Third: thing!\n- [ ] fourth\n';
    const actions = actionsOf('go on', situation(memory, ['PLAN.md']), () => fine(plan));
    const writes = actions.filter((action) => action.kind === 'write');
    expect(writes.map((action) => action.path)).toEqual(['notes/step-3-third-thing.md', 'PLAN.md']);
    expect(writes[1]?.content).toBe('- [x] first\n- [ ] second\n- [x] Third: thing!\n- [ ] fourth\n');
    expect(memory.nextSteps).toEqual(['fourth']);
    expect(memory.decisions[0]).toMatch(/^I chose .* because /);
  });

  it('the practice agent restores its memory from the document that it wrote', () => {
    const memory = new Memory();
    memory.done.push('the parser');
    memory.decisions.push("I chose CSV because it's simple.");
    memory.rememberFile('src/a.ts', 'the parser');
    memory.nextSteps = ['write tests', 'release'];
    const knowledge = readHandoff(composeHandoff(situation(memory)));
    expect(knowledge).toMatchObject({
      done: ['the parser'],
      decisions: ["I chose CSV because it's simple."],
      files: [{ path: 'src/a.ts', purpose: 'the parser' }],
      nextSteps: ['write tests', 'release'],
      blockers: [],
    });
    expect(knowledge.task).toMatch(/^I was working .* "write tests"\.$/);
  });

  it('the practice agent recognizes each kind of prompt', () => {
    const kinds = (prompt: string) => actionsOf(prompt, situation(), () => fine()).map((action) => action.kind);
    expect(kinds('You are Ada, with the skill "review".')).toEqual(['think', 'say']);
    expect(kinds('Baton persona: be brief')).toEqual(['think', 'say']);
    expect(kinds('My skill is low')).toContain('write');
    expect(kinds('x [[practice:slow 5]] [[practice:say hi]]')).toEqual(['think', 'think', 'say', 'say']);
    expect(kinds('[[practice:await go-on]]')).toContain('await-file');
    expect(kinds('to /a/handoffs/b.md, end with <!-- handoff-end:T -->, mentions baton ack 3')).toContain('write');
    expect(kinds('read /a/handoffs/b.md then `baton ack 3 --proof P`')).toContain('read');
  });

  it('the practice agent quotes any text as one shell word', () => {
    const text = fc.string({ unit: 'grapheme-ascii', maxLength: 40 });
    fc.assert(
      fc.property(text, (word) => execFileSync('sh', ['-c', `printf %s ${quoteForShell(word)}`]).toString() === word),
      { numRuns: 30 },
    );
  });

  it('the practice agent classifies submitted text as command, prompt or shell line', () => {
    const kind = (text: string) => classifySubmission(text).kind;
    expect(['/exit', '/foo', '/foo a/b', ' /clear '].map(kind)).toEqual(Array(4).fill('command'));
    expect(['/abs/path do it', '/a/b', 'x /exit', '#note'].map(kind)).toEqual(Array(4).fill('prompt'));
    expect(kind('!ls')).toBe('shell');
  });
});
