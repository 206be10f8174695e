import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { needs } from './support/needs.ts';
import { linesFor } from './support/skipped-reporter.ts';

const TEST = fileURLToPath(new URL('.', import.meta.url));

describe('a test with a requirement', () => {
  it('if the requirement of a test is met, the test runs', () => {
    expect(needs('sh', { what: 'anything', isThere: true })).toEqual({});
  });

  it('a skipped test names every requirement that is missing', () => {
    const account = { what: 'the root account', isThere: false };
    expect(needs('sh', 'no-such-program', account)).toEqual({
      skip: true,
      meta: { missing: 'no-such-program (not installed) and the root account' },
    });
  });
});

it('the summary of a test run names each missing program only once', () => {
  const skip = (file: string, missing?: string) => ({ file, missing });
  expect(
    linesFor([
      skip('test/b.test.ts', 'zsh (not installed)'),
      skip('test/a.test.ts', 'zsh (not installed)'),
      skip('test/a.test.ts', 'zsh (not installed)'),
      skip('test/a.test.ts', 'fish (not installed)'),
      skip('test/c.test.ts'),
    ]),
  ).toEqual([
    'Skipped: 1 test needs fish (not installed): test/a.test.ts',
    'Skipped: 3 tests need zsh (not installed): test/a.test.ts, test/b.test.ts',
    'Skipped: 1 test without a reason: test/c.test.ts',
  ]);
  expect(linesFor([])).toEqual([]);
});

it('every test that can be skipped says which program it needs', () => {
  const files = readdirSync(TEST, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const silent = files.filter((name) =>
    /\b(?:it|test|describe)(?:\.\w+)*\.(?:skip|skipIf|runIf|todo)\b/.test(
      readFileSync(join(TEST, name), 'utf8')
        .replaceAll(/`[^`]*`/g, '')
        .replaceAll(/\/\*\*.*?\*\//gs, ''),
    ),
  );
  expect(silent).toEqual([]);
});
