import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LintResult } from '../../../../src/contract/packages/lint.ts';
import { Acknowledgment, SealedPackage } from '../../../../src/contract/packages/package.ts';
import { lintText } from '../../../../src/main/lint-file.ts';
import { carrier } from './carrier.ts';

/** Every block that seed 004 prints, as it prints it; blocks with two alternatives are two files. */
const block = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/packages/seed-004/${name}`, import.meta.url), 'utf8');
const NOW = '2026-01-15T14:30:00Z';
const lint = (text: string): LintResult => lintText('x.yaml', text, { now: NOW });
const told = (text: string, weight: string): string[] =>
  lint(text)
    .findings.filter(({ severity }) => severity === weight)
    .map(({ rule }) => rule);
const errors = (text: string): string[] => told(text, 'error');
const warnings = (text: string): string[] => told(text, 'warning');
/** The seed prints these as parts; here each stands in a package that is otherwise clean. */
const indent = (text: string, by: number): string => text.replace(/^(?=.)/gm, ' '.repeat(by));

describe('the packages that the seed prints', () => {
  it.each([
    ['[004 Sequential (Workflow)] its step 2 → architecture', 'sequential.yaml', 'sequential'],
    ['[004 Delegation (Specialist)] its step 3 → security-check', 'delegation.yaml', 'delegation'],
    ['[004 Escalation (Human)] with a pending decision', 'escalation.yaml', 'escalation'],
    ['[004 Return] with step null', 'return.yaml', 'return'],
  ])('%s passes as printed, without a warning', (_, file, type) => {
    expect(lint(block(file))).toMatchObject({ ok: true, errors: 0, warnings: 0, type });
  });

  it.each([
    ['[004 Handoff Package Structure]', 'structure.yaml', 19],
    ['[004 Handoff to Human (Gate)]', 'gate.yaml', 7],
  ])(
    '%s is a template: its placeholders are the only errors, also `[N]` and `[...]`, which YAML takes for lists',
    (_, file, count) => {
      expect(errors(block(file))).toEqual(Array.from({ length: count }, () => 'HP005'));
    },
  );

  it('[004 Handoff to Human (Gate)] filled in, it passes', () => {
    const filled = block('gate.yaml')
      .replace('[current agent]', 'architecture')
      .replace('[gate name]', 'Design review')
      .replace('[workflow step]', 'design')
      .replace('[what was done]', 'API design of 4 endpoints written')
      .replace('artifacts: [...]', 'artifacts: [{ path: docs/api.md }]')
      .replace('[point 1 to validate]', 'The endpoints cover all 12 stories')
      .replace('[point 2 to validate]', 'Errors have one form');
    expect(lint(filled)).toMatchObject({ ok: true, type: 'gate' });
  });
});

describe('the rules that the seed prints', () => {
  it('[004 Never Implicit Context] FORBIDDEN: "It\'s done" is warned about as implicit', () => {
    expect(warnings(carrier({ context: indent(block('context-forbidden.yaml'), 2) }))).toEqual(['HP101']);
  });

  it('[004 Never Implicit Context] REQUIRED passes, its folder `user-stories/` too', () => {
    expect(lint(carrier({ context: indent(block('context-required.yaml'), 2) }))).toMatchObject({
      errors: 0,
      warnings: 0,
    });
  });

  it('[004 Artifacts Always Referenced] a path in the prose that is no artifact is told; in it, it is not', () => {
    const context = (path: string) =>
      `  context:\n    summary: "Wrote 12 stories, see .project/02/US-001.md"\n    open_questions: []\n    artifacts: [{ path: "${path}" }]\n`;
    const rules = (path: string) => lint(carrier({ context: context(path) })).findings.map(({ rule }) => rule);
    expect(rules('.project/03/other.md')).toContain('HP203');
    expect(rules('.project/02/US-001.md')).not.toContain('HP203');
    expect(rules('.project/02/')).not.toContain('HP203');
  });

  it('[004 Open Questions Documented] what the summary leaves open is an open question', () => {
    const rules = (rest: string) =>
      warnings(carrier({ context: `  context:\n    summary: "3 epics written. Is EP-004 wanted?"\n${rest}` }));
    expect(rules('')).toEqual(['HP302']);
    expect(rules('    open_questions: [{ question: "Is EP-004 wanted?", priority: low }]\n')).toEqual([]);
  });

  it('[004 Measurable Success Criteria] BAD: "Write good code" is warned about as a matter of taste', () => {
    expect(warnings(carrier({ criteria: indent(block('criteria-bad.yaml'), 4) }))).toEqual(['HP401']);
  });

  it('[004 Measurable Success Criteria] GOOD: all three pass without a warning', () => {
    expect(warnings(carrier({ criteria: indent(block('criteria-good.yaml'), 4) }))).toEqual([]);
  });

  it('[004 Signal Problems] the constraint "quickly" of its example is flagged as not measurable', () => {
    const { findings } = lint(carrier({ constraints: '    constraints: ["quickly"]\n' }));
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'HP401', severity: 'warning' }));
  });
});

describe('receiving, as the seed prints it', () => {
  it.each([
    ['[004 Acknowledge Receipt]', 'acknowledge-receipt.yaml'],
    ['[004 Signal Problems]', 'signal-problems.yaml'],
  ])('%s is accepted by the schema exactly as printed', (_, file) => {
    expect(lint(block(file))).toMatchObject({ kind: 'acknowledgment', ok: true });
  });

  it('[004 Validate the Package] the checklist is documentation and no package', () => {
    expect(lint(block('checklist.yaml'))).toMatchObject({ ok: false, kind: 'unknown' });
  });

  it('[004 Persistence block] the commented JSON is documentation and no package; its short id is accepted', () => {
    expect(lint(block('state.json.txt'))).toMatchObject({ ok: false, kind: 'unknown' });
    expect(SealedPackage.shape.id.safeParse('HO-001').success).toBe(true);
    expect(SealedPackage.shape.id.safeParse('HO-2024-001').success).toBe(true);
    expect(SealedPackage.shape.id.safeParse('HO-1').success).toBe(false);
  });

  it('an acknowledgment with an invented key is not accepted', () => {
    expect(Acknowledgment.safeParse({ received: true, understood: 'partial', approved: true }).success).toBe(false);
  });
});
