import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStrictYaml } from '../../../src/adapters/yaml/parse-strict-yaml.ts';
import { YAML_BOUNDS } from '../../../src/adapters/yaml/yaml-bounds.ts';
import { fastestOf } from '../../support/fastest-of.ts';

const problem = (text: string): string => {
  const parsed = parseStrictYaml(text);
  return 'problem' in parsed ? parsed.problem.sentence : `taken: ${JSON.stringify(parsed.value)}`;
};

describe('the strict YAML parser [package P2]', () => {
  it('the strict YAML parser returns plain data', () => {
    const text = 'a: 1\nb: [x, "y: z", null]\nc: |\n  two\n  lines\nd: 2024-01-15T14:30:00Z\ne: yes\n';
    expect(parseStrictYaml(text)).toMatchObject({
      value: { a: 1, b: ['x', 'y: z', null], c: 'two\nlines\n', d: '2024-01-15T14:30:00Z', e: 'yes' },
    });
  });

  it.each([
    ['an anchor', 'a: &x 1', /anchor/],
    ['an alias', 'a: &x 1\nb: *x', /anchor/],
    ['an alias without an anchor', 'a: *x', /alias/],
    ['a tag', 'a: !!str 1', /tag/],
    ['a custom tag', 'a: !env HOME', /tag/],
    ['a directive', '%YAML 1.1\n---\na: 1', /directive/],
    ['a merge key', 'a: 1\n<<: { b: 2 }', /merge/],
    ['a duplicate key', 'a: 1\na: 2', /twice/],
    ['a duplicate key in a nested block', 'a:\n  b: 1\n  c: 2\n  b: 3', /twice/],
    ['a duplicate key in braces', 'a: { b: 1, b: 2 }', /twice/],
    ['two documents', 'a: 1\n---\nb: 2', /exactly one/],
    ['an empty text', '', /exactly one/],
    ['a list as a key', '? [a, b]\n: 1', /not a string/],
    ['a number as a key', '1: a', /not a string/],
    ['__proto__', '__proto__: { admin: true }', /forbidden/],
    ['a control character', 'a: "\u0007"', /control/],
    ['a control character that is written as an escape', 'a: "\\e[31m"', /control/],
    ['a control character in a key', '"\\e[31m": a', /control/],
    ['a bracket that is not closed', 'a: [1, 2', /bracket/],
    ['the number .nan', 'a: .nan', /number/],
  ])('the strict YAML parser refuses %s', (_, text, sentence) => {
    expect(problem(text)).toMatch(sentence);
  });

  it('an error of the strict YAML parser does not quote the parsed text', () => {
    for (const text of [
      'k: &hunter2secret 1',
      'hunter2secret: 1\nhunter2secret: 2',
      'k: [hunter2secret',
      'k: "hunter2secret',
    ])
      expect(problem(text)).not.toContain('hunter2');
  });

  it('the strict YAML parser knows the line number of each value', () => {
    const parsed = parseStrictYaml('a: 1\nb:\n  - x\n  - y: 2\n');
    expect('lineOf' in parsed && [parsed.lineOf(['b', 1, 'y']), parsed.lineOf(['b', 9]), parsed.lineOf(['c'])]).toEqual(
      [4, 3, undefined],
    );
  });
});

describe('the strict YAML parser with hostile input [package P2]', () => {
  const full = (piece: string): string => piece.repeat(Math.floor((YAML_BOUNDS.bytes - 10) / piece.length));
  const keys = Array.from({ length: 14_000 }, (_, index) => `k${index}:`)
    .join('\n')
    .slice(0, YAML_BOUNDS.bytes - 1);

  it.each([
    ['brackets', full('[')],
    ['braces', full('{')],
    ['braces with keys', full('{a: ')],
    ['lists in lists', full('- ')],
    ['questions', full('? ')],
    ['ever deeper blocks', Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['many keys', keys],
    ['many items', full('- a\n')],
    ['a long line', `a: ${'x'.repeat(YAML_BOUNDS.bytes - 10)}`],
    ['colons', full(':')],
    ['colons and blanks', full(': ')],
    ['quotes', full('"a" ')],
    ['commas', `[${full(',')}`],
    ['comments', full('#\n')],
    ['blank lines', `a: |\n${full(' \n')}`],
    ['doubling aliases', 'a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [*c,*c]'],
    ['too many characters', 'a'.repeat(YAML_BOUNDS.bytes + 1)],
    ['too many bytes', `a: ${'ä'.repeat(YAML_BOUNDS.bytes / 2)}`],
  ])('the strict YAML parser returns in limited time for an input of %s', (_, text) => {
    // The time limit is generous: even on a busy machine, parsing took no longer than 0.6 s.
    expect(fastestOf(() => void parseStrictYaml(text), 5_000)).toBeLessThan(5_000);
  });

  it('the strict YAML parser never throws for any text', () => {
    const word = fc.constantFrom(
      'a',
      ':',
      ' ',
      '\n',
      '- ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      "'",
      '|',
      '>',
      '#',
      '&',
      '*',
      '!',
      '?',
      '---',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word, { maxLength: 60 }).map((words) => words.join('')),
        ),
        (text) => {
          parseStrictYaml(text);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('the strict YAML parser returns the data of a JSON text unchanged or says why it refuses the text', () => {
    const value = fc.dictionary(
      fc.string({ minLength: 1 }).filter((key) => key !== '__proto__' && key !== '<<'),
      fc.jsonValue({ maxDepth: 3 }),
    );
    fc.assert(
      fc.property(value, (object) => {
        const parsed = parseStrictYaml(JSON.stringify(object));
        if ('value' in parsed) expect(JSON.stringify(parsed.value)).toBe(JSON.stringify(object));
        else expect(parsed.problem.sentence).toMatch(/control|allowed|forbidden|merge/);
      }),
      { numRuns: 200 },
    );
  });
});
