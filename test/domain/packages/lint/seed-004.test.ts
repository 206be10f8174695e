import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LintResult } from '../../../../src/contract/packages/lint.ts';
import { Acknowledgment, SealedPackage } from '../../../../src/contract/packages/package.ts';
import { lintText } from '../../../../src/main/lint-file.ts';
import { carrier } from './carrier.ts';

/**
 * Reads a code block of specification 004 from a fixture file with the same text. For a block with two alternatives,
 * there are two files.
 */
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
/**
 * Indents a YAML example of specification 004. Some examples are fragments, which fit into a complete package only
 * after indenting.
 */
const indent = (text: string, by: number): string => text.replace(/^(?=.)/gm, ' '.repeat(by));

describe('the example packages in specification 004', () => {
  it.each([
    ['[004 Sequential (Workflow)] the package from step 2 to architecture', 'sequential.yaml', 'sequential'],
    ['[004 Delegation (Specialist)] the package from step 3 to security-check', 'delegation.yaml', 'delegation'],
    ['[004 Escalation (Human)] the package with a pending decision', 'escalation.yaml', 'escalation'],
    ['[004 Return] the package with step null', 'return.yaml', 'return'],
  ])('the example package passes the lint without a warning: %s', (_, file, type) => {
    expect(lint(block(file))).toMatchObject({ ok: true, errors: 0, warnings: 0, type });
  });

  it.each([
    ['[004 Handoff Package Structure]', 'structure.yaml', 19],
    ['[004 Handoff to Human (Gate)]', 'gate.yaml', 7],
  ])('for the template %s in the specification, the lint reports nothing but placeholders', (_, file, count) => {
    expect(errors(block(file))).toEqual(Array.from({ length: count }, () => 'HP005'));
  });

  it('[004 Handoff to Human (Gate)] with its placeholders filled in, the gate template passes the lint', () => {
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

describe('the example rules in specification 004', () => {
  it('[004 Never Implicit Context] the lint warns about implicit context in the example of a forbidden summary', () => {
    expect(warnings(carrier({ context: indent(block('context-forbidden.yaml'), 2) }))).toEqual(['HP101']);
  });

  it("[004 Never Implicit Context] the specification's example of a required summary passes the lint", () => {
    expect(lint(carrier({ context: indent(block('context-required.yaml'), 2) }))).toMatchObject({
      errors: 0,
      warnings: 0,
    });
  });

  it('[004 Artifacts Always Referenced] the lint reports a path in the summary that is not listed as an artifact', () => {
    const context = (path: string) =>
      `  context:\n    summary: "Wrote 12 stories, see .project/02/US-001.md"\n    open_questions: []\n    artifacts: [{ path: "${path}" }]\n`;
    const rules = (path: string) => lint(carrier({ context: context(path) })).findings.map(({ rule }) => rule);
    expect(rules('.project/03/other.md')).toContain('HP203');
    expect(rules('.project/02/US-001.md')).not.toContain('HP203');
    expect(rules('.project/02/')).not.toContain('HP203');
  });

  it('[004 Artifacts Always Referenced] the lint reports an unlisted path in the summary even if the file is already committed', () => {
    const context = '  context:\n    summary: "Wrote 12 stories, see docs/US-001.md"\n    open_questions: []\n';
    const messages = (changed: readonly string[]) =>
      lintText('x.yaml', carrier({ context }), { now: NOW, disk: { artifacts: {}, changed } })
        .findings.filter(({ rule }) => rule === 'HP203')
        .map(({ message }) => message);
    expect(messages([])).toEqual(['The summary names a file that is not listed as an artifact.']);
    expect(messages(['docs/US-001.md'])).toEqual([expect.stringMatching(/^1 changed file is not listed/)]);
  });

  it('[004 Open Questions Documented] the lint warns if the open questions of the package lack a question from the summary', () => {
    const rules = (rest: string) =>
      warnings(carrier({ context: `  context:\n    summary: "3 epics written. Is EP-004 wanted?"\n${rest}` }));
    expect(rules('')).toEqual(['HP302']);
    expect(rules('    open_questions: [{ question: "Is EP-004 wanted?", priority: low }]\n')).toEqual([]);
  });

  it('[004 Measurable Success Criteria] the example of a bad criterion, "Write good code", causes a warning', () => {
    expect(warnings(carrier({ criteria: indent(block('criteria-bad.yaml'), 4) }))).toEqual(['HP401']);
  });

  it('[004 Measurable Success Criteria] the three examples of good criteria pass the lint without a warning', () => {
    expect(warnings(carrier({ criteria: indent(block('criteria-good.yaml'), 4) }))).toEqual([]);
  });

  it('[004 Signal Problems] the constraint "quickly" causes a warning because it is not measurable', () => {
    const { findings } = lint(carrier({ constraints: '    constraints: ["quickly"]\n' }));
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'HP401', severity: 'warning' }));
  });
});

describe('the example answers of receivers in specification 004', () => {
  it("[004 Signal Problems] the lint accepts the specification's example of an acknowledgment with blockers", () => {
    expect(lint(block('signal-problems.yaml'))).toMatchObject({ kind: 'acknowledgment', ok: true });
  });

  it("[004 Acknowledge Receipt] in the specification's example of an acknowledgment, the lint reports only the placeholders", () => {
    const { kind, findings } = lint(block('acknowledge-receipt.yaml'));
    expect([kind, findings.map(({ rule, pointer }) => [rule, pointer])]).toEqual([
      'acknowledgment',
      [
        ['HP005', '/acknowledgment/from'],
        ['HP005', '/acknowledgment/understood/task'],
        ['HP005', '/acknowledgment/understood/constraints'],
      ],
    ]);
  });

  it("[004 Validate the Package] the lint refuses the specification's checklist for receivers if an author submits it as a package", () => {
    expect(lint(block('checklist.yaml'))).toMatchObject({ ok: false, kind: 'unknown' });
  });

  it("[004 Persistence block] the specification's JSON with comments is refused as a package", () => {
    expect(lint(block('state.json.txt'))).toMatchObject({ ok: false, kind: 'unknown' });
    expect(SealedPackage.shape.id.safeParse('HO-001').success).toBe(true);
    expect(SealedPackage.shape.id.safeParse('HO-2024-001').success).toBe(true);
    expect(SealedPackage.shape.id.safeParse('HO-1').success).toBe(false);
  });

  it('the schema refuses an acknowledgment with an unknown key', () => {
    expect(Acknowledgment.safeParse({ received: true, understood: 'partial', approved: true }).success).toBe(false);
  });
});
