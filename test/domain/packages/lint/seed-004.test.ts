import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LintResult } from '../../../../src/contract/packages/lint.ts';
import { Acknowledgment, SealedPackage } from '../../../../src/contract/packages/package.ts';
import { lintText } from '../../../../src/main/lint-file.ts';
import { carrier } from './carrier.ts';

/** Reads a block of seed 004, stored verbatim; a block with two alternatives is stored as two files. */
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
/** The seed prints some blocks as fragments; indented, they fit into an otherwise clean package. */
const indent = (text: string, by: number): string => text.replace(/^(?=.)/gm, ' '.repeat(by));

describe('the packages printed in the seed', () => {
  it.each([
    ['[004 Sequential (Workflow)] the package from step 2 to architecture', 'sequential.yaml', 'sequential'],
    ['[004 Delegation (Specialist)] the package from step 3 to security-check', 'delegation.yaml', 'delegation'],
    ['[004 Escalation (Human)] the package with a pending decision', 'escalation.yaml', 'escalation'],
    ['[004 Return] the package with step null', 'return.yaml', 'return'],
  ])('%s passes the lint as printed, without a warning', (_, file, type) => {
    expect(lint(block(file))).toMatchObject({ ok: true, errors: 0, warnings: 0, type });
  });

  it.each([
    ['[004 Handoff Package Structure]', 'structure.yaml', 19],
    ['[004 Handoff to Human (Gate)]', 'gate.yaml', 7],
  ])(
    '%s the template has errors only for its placeholders, including `[N]` and `[...]`, which YAML reads as lists',
    (_, file, count) => {
      expect(errors(block(file))).toEqual(Array.from({ length: count }, () => 'HP005'));
    },
  );

  it('[004 Handoff to Human (Gate)] the template passes the lint once it is filled in', () => {
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

describe('the rules printed in the seed', () => {
  it('[004 Never Implicit Context] the FORBIDDEN example "It\'s done" causes a warning about implicit context', () => {
    expect(warnings(carrier({ context: indent(block('context-forbidden.yaml'), 2) }))).toEqual(['HP101']);
  });

  it('[004 Never Implicit Context] the REQUIRED example passes, including its folder `user-stories/`', () => {
    expect(lint(carrier({ context: indent(block('context-required.yaml'), 2) }))).toMatchObject({
      errors: 0,
      warnings: 0,
    });
  });

  it('[004 Artifacts Always Referenced] a path in the summary is reported if it is not an artifact', () => {
    const context = (path: string) =>
      `  context:\n    summary: "Wrote 12 stories, see .project/02/US-001.md"\n    open_questions: []\n    artifacts: [{ path: "${path}" }]\n`;
    const rules = (path: string) => lint(carrier({ context: context(path) })).findings.map(({ rule }) => rule);
    expect(rules('.project/03/other.md')).toContain('HP203');
    expect(rules('.project/02/US-001.md')).not.toContain('HP203');
    expect(rules('.project/02/')).not.toContain('HP203');
  });

  it('[004 Open Questions Documented] a question in the summary causes a warning unless it is listed as an open question', () => {
    const rules = (rest: string) =>
      warnings(carrier({ context: `  context:\n    summary: "3 epics written. Is EP-004 wanted?"\n${rest}` }));
    expect(rules('')).toEqual(['HP302']);
    expect(rules('    open_questions: [{ question: "Is EP-004 wanted?", priority: low }]\n')).toEqual([]);
  });

  it('[004 Measurable Success Criteria] the BAD example "Write good code" causes a warning because it is a matter of taste', () => {
    expect(warnings(carrier({ criteria: indent(block('criteria-bad.yaml'), 4) }))).toEqual(['HP401']);
  });

  it('[004 Measurable Success Criteria] all three GOOD examples pass without a warning', () => {
    expect(warnings(carrier({ criteria: indent(block('criteria-good.yaml'), 4) }))).toEqual([]);
  });

  it('[004 Signal Problems] the constraint "quickly" of the example causes a warning because it is not measurable', () => {
    const { findings } = lint(carrier({ constraints: '    constraints: ["quickly"]\n' }));
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'HP401', severity: 'warning' }));
  });
});

describe('the blocks for receivers printed in the seed', () => {
  it.each([
    ['[004 Acknowledge Receipt]', 'acknowledge-receipt.yaml'],
    ['[004 Signal Problems]', 'signal-problems.yaml'],
  ])('%s the acknowledgment is accepted by the schema exactly as printed', (_, file) => {
    expect(lint(block(file))).toMatchObject({ kind: 'acknowledgment', ok: true });
  });

  it('[004 Validate the Package] the checklist is documentation, not a package', () => {
    expect(lint(block('checklist.yaml'))).toMatchObject({ ok: false, kind: 'unknown' });
  });

  it('[004 Persistence block] the commented JSON is documentation, not a package; its short id is valid', () => {
    expect(lint(block('state.json.txt'))).toMatchObject({ ok: false, kind: 'unknown' });
    expect(SealedPackage.shape.id.safeParse('HO-001').success).toBe(true);
    expect(SealedPackage.shape.id.safeParse('HO-2024-001').success).toBe(true);
    expect(SealedPackage.shape.id.safeParse('HO-1').success).toBe(false);
  });

  it('an acknowledgment with an unknown key is refused', () => {
    expect(Acknowledgment.safeParse({ received: true, understood: 'partial', approved: true }).success).toBe(false);
  });
});
