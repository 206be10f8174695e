import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { packageJsonSchema } from '../../src/contract/package-schema.ts';
import { protocolPage } from '../../src/contract/protocol-page.ts';
import { testTitles } from '../support/test-titles.ts';

const file = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

/** Mend both with: npm run docs:protocol */
it('docs/PROTOCOL.md says what schema and rules say', () => {
  expect(file('docs/PROTOCOL.md')).toBe(protocolPage());
});

it('the published JSON Schema is the one of the product, in the draft that it names', () => {
  const published = JSON.parse(file('docs/handoff-package.schema.json'));
  expect(published).toEqual(JSON.parse(JSON.stringify(packageJsonSchema())));
  expect(published.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
});

it('every rule of SPEC.md is cited by a test', () => {
  const numbers = [...file('src/domain/package/SPEC.md').matchAll(/\*\*(P\d+)\*\*/g)].map(([, number]) => number);
  const cited = testTitles()
    .map(({ words }) => words)
    .join('\n');
  expect(numbers.length).toBeGreaterThan(20);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.filter((number) => !cited.includes(`[package ${number}]`))).toEqual([]);
});
