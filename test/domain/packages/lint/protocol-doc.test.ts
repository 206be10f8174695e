import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { packageJsonSchema } from '../../../../src/contract/packages/package-schema.ts';
import { protocolPage } from '../../../../src/contract/packages/protocol-page.ts';
import { testTitles } from '../../../support/test-titles.ts';

const file = (name: string): string => readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8');

/** To update docs/PROTOCOL.md and the JSON Schema, run: npm run docs:protocol */
it('docs/PROTOCOL.md matches the schema and the rules of packages', () => {
  expect(file('docs/PROTOCOL.md')).toBe(protocolPage());
});

it('the published JSON Schema equals the generated JSON Schema', () => {
  const published = JSON.parse(file('docs/handoff-package.schema.json'));
  expect(published).toEqual(JSON.parse(JSON.stringify(packageJsonSchema())));
  expect(published.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  expect(published.$id).toBe('handoff://schema/1');
});

interface Rule {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Rule>>;
  readonly const?: unknown;
  readonly minItems?: number;
  readonly not?: Rule;
  readonly allOf?: readonly Rule[];
  readonly if?: Rule;
  readonly then?: Rule;
}

/**
 * Returns whether the value satisfies the JSON Schema rule. Supports only the JSON Schema keywords that occur in the
 * requirements of the package types.
 */
function fits(rule: Rule, value: unknown): boolean {
  const record = value as Readonly<Record<string, unknown>>;
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return (
    (rule.const === undefined || rule.const === value) &&
    (rule.minItems === undefined || !Array.isArray(value) || value.length >= rule.minItems) &&
    (!isRecord || (rule.required ?? []).every((key) => key in record)) &&
    (!isRecord ||
      Object.entries(rule.properties ?? {}).every(([key, inner]) => !(key in record) || fits(inner, record[key]))) &&
    (rule.not === undefined || !fits(rule.not, value)) &&
    (rule.allOf ?? []).every((inner) => fits(inner, value)) &&
    (rule.if === undefined || !fits(rule.if, value) || rule.then === undefined || fits(rule.then, value))
  );
}

it('[package P5] the published JSON Schema enforces the requirements of each package type', () => {
  const { allOf } = JSON.parse(file('docs/handoff-package.schema.json')).$defs.PackageInput as { allOf: Rule[] };
  const isValid = (value: object): boolean => fits({ allOf }, value);
  const parties = { from: { agent: 'a' }, to: { agent: 'b', reason: 'r' }, context: { summary: 's' } };
  const expectations = { deliverable: 'A report', success_criteria: ['No critical risk'] };
  expect(isValid({ ...parties, type: 'sequential' })).toBe(true);
  expect(isValid({ ...parties, type: 'delegation', expectations })).toBe(true);
  expect(isValid({ ...parties, type: 'delegation' })).toBe(false);
  expect(isValid({ ...parties, type: 'delegation', expectations: { ...expectations, success_criteria: [] } })).toBe(
    false,
  );
  expect(isValid({ ...parties, type: 'return', expectations })).toBe(false);
  const gate = { ...parties, gate: { type: 'blocking', name: 'g' } };
  const asked = { to: { agent: 'human', reason: 'r' }, validation_request: { items: ['The 12 endpoints'] } };
  expect(isValid({ ...gate, ...asked })).toBe(true);
  expect(isValid(gate)).toBe(false);
  expect(isValid({ ...gate, ...asked, to: parties.to })).toBe(false);
  expect(isValid({ ...gate, ...asked, validation_request: { items: [] } })).toBe(false);
});

it('every rule in the specification of packages (SPEC.md) is cited by a test', () => {
  const numbers = [...file('src/domain/packages/SPEC.md').matchAll(/\*\*(P\d+)\*\*/g)].map(([, number]) => number);
  const cited = testTitles()
    .map(({ words }) => words)
    .join('\n');
  expect(numbers.length).toBeGreaterThan(20);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.filter((number) => !cited.includes(`[package ${number}]`))).toEqual([]);
});
