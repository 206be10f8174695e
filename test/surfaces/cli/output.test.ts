import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/contract/words/display-width.ts';
import { contextBar } from '../../../src/surfaces/cli/output/context-bar.ts';
import { duration } from '../../../src/surfaces/cli/output/duration.ts';
import { ink, render } from '../../../src/surfaces/cli/output/ink.ts';
import { plainJson, plainText } from '../../../src/surfaces/cli/output/plain-text.ts';
import { table } from '../../../src/surfaces/cli/output/table.ts';

describe('plainText', () => {
  it.each([
    ['a\tb\nc', 'a\tb\nc'],
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007text', 'text'],
    ['\u001b]52;c;ZXZpbA==\u001b\\text', 'text'],
    ['\u001bP+q544e\u001b\\text', 'text'],
    ['\u001b\u001b[0m[31mtwice', '[31mtwice'],
    ['one\r\ntwo\rthree', 'one\ntwothree'],
    ['bell\u0007 back\b null\0 delete\u007f', 'bell back null delete'],
    ['\u009b31mC1\u0085', 'C1'],
    ['name\u202etxt.exe', 'nametxt.exe'],
    ['Änne 測試 😀 ❤️', 'Änne 測試 😀 ❤️'],
  ])('plainText turns the text %j into %j', (text, plain) => {
    expect(plainText(text)).toBe(plain);
  });

  it('control characters are removed from colored text too', () => {
    expect(render([ink('red', 'a\u001b[2Jb'), '\u0007c'], true)).toBe('\u001b[31mab\u001b[0mc');
  });

  it('control characters are escaped in JSON without changing the value', () => {
    const text = 'C1 \u009b, delete \u007f, turned \u202e, escape \u001b';
    const json = plainJson({ text });
    expect(json).toBe('{"text":"C1 \\u009b, delete \\u007f, turned \\u202e, escape \\u001b"}');
    expect(JSON.parse(json)).toEqual({ text });
  });
});

it('displayWidth() counts terminal columns', () => {
  expect(['abc', 'Änne', 'A\u0308nne', '測試', '👩‍💻x'].map(displayWidth)).toEqual([3, 4, 4, 4, 3]);
});

it('table() aligns columns', () => {
  const rows = table(
    ['name', '>took'],
    [
      ['測試', '12 ms'],
      ['a\nb', '1.2 s'],
      ['abc', '0 ms'],
    ],
  );
  expect(rows.map((row) => render(row, false))).toEqual(['NAME   TOOK', '測試  12 ms', 'a b   1.2 s', 'abc    0 ms']);
});

it('duration() picks a readable unit', () => {
  expect([0, 12.4, 999, 1234, 59_900, 59_960, 125_000].map(duration)).toEqual([
    '0 ms',
    '12 ms',
    '999 ms',
    '1.2 s',
    '59.9 s',
    '1 min 00 s',
    '2 min 05 s',
  ]);
});

it('contextBar() draws the context use as a bar', () => {
  expect(contextBar({ tier: 'fine', used_percent: 62 }).text).toBe('▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░ 62 %');
  expect(contextBar({ tier: 'handoff', used_percent: 130 }).text).toBe(`${'▓'.repeat(20)} 130 %`);
});
