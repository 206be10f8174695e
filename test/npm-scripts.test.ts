import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** These npm scripts must not be renamed, because Baton's documents and other people's scripts call them by name. */
const KEPT = [
  ...['start', 'demo', 'test', 'test:fast', 'test:repeat', 'check', 'prove', 'soak', 'e2e:clients', 'screenshots'],
  'walk:stories',
  ...['delivery', 'hooks', 'lint', 'packages', 'search', 'ui'].map((name) => `bench:${name}`),
  ...['crash', 'sim', 'guard', 'plants'].map((name) => `prove:${name}`),
];

it('package.json keeps the npm scripts that documents and other scripts call by name', () => {
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(KEPT));
});
