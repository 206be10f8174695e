import { describe, expect, it } from 'vitest';
import {
  anyTypes,
  headlessTexts,
  importCycles,
  largeFolders,
  longestFunction,
  repeatedBlocks,
  retiredWords,
} from '../scripts/house/measure.mjs';

/**
 * Tests the checks that `npm run check` runs on the repository. Each check gets code that it must refuse and code that
 * it must accept.
 */

const block = Array.from({ length: 12 }, (_, index) => `step(${index});`).join('\n');

describe('code that npm run check refuses', () => {
  it.each([
    ['a comment without a subject', headlessTexts, { 'src/a.ts': '// Who asks gets it.\nexport const a = 1;' }],
    [
      'a JSDoc comment without a subject',
      headlessTexts,
      { 'src/a.ts': '/**\n * What is absent.\n */\nexport const a = 1;' },
    ],
    ['a test title without a subject', headlessTexts, { 'test/a.test.ts': "it('[H1] nobody is asked', () => {});" }],
    ['a retired word in an identifier', retiredWords, { 'src/a.ts': 'export const MOST_ROWS = 3;' }],
    ['a retired word in a property', retiredWords, { 'src/a.ts': 'export const a = { judgeDraft: 1 };' }],
    [
      'a folder of 16 files',
      largeFolders,
      Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`src/app/f${index}.ts`, ''])),
    ],
    [
      'an import cycle',
      importCycles,
      { 'src/a.ts': "import './b.ts';", 'src/b.ts': "import './c.ts';", 'src/c.ts': "import './a.ts';" },
    ],
    ['any', anyTypes, { 'src/a.ts': 'export const a = (b: any) => b;' }],
    ['twelve lines that two files share', repeatedBlocks, { 'src/a.ts': block, 'src/b.ts': `const b = 1;\n${block}` }],
  ])('npm run check refuses %s', (_what, find, sources) => {
    expect(find(sources)).toHaveLength(1);
  });
});

describe('code that npm run check accepts', () => {
  it.each([
    [
      'the same words inside a sentence or a string',
      headlessTexts,
      { 'src/a.ts': "// Answers to what was asked.\nexport const a = 'Who';" },
    ],
    ['a comment sign in a string', headlessTexts, { 'src/a.ts': "export const a = 'https://x/ // What';" }],
    ['a retired word inside another', retiredWords, { 'src/a.ts': 'export const ALMOST_ALL = 3;' }],
    [
      'eleven lines that two files share',
      repeatedBlocks,
      { 'src/a.ts': block, 'src/b.ts': block.replace('step(0);', 'other();') },
    ],
  ])('npm run check accepts %s', (_what, find, sources) => {
    expect(find(sources)).toEqual([]);
  });
});

it('the search for the longest function returns its location and its length', () => {
  const sources = { 'src/a.ts': 'const a = () => 1;\nfunction b() {\n  a();\n  return 2;\n}' };
  expect(longestFunction(sources)).toEqual({ where: 'src/a.ts:2', lines: 4 });
});
