import { describe, expect, it } from 'vitest';
import { plainNotification } from '../../src/adapters/notify/plain-notification.ts';
import { typeable } from '../../src/domain/plain-text.ts';
import { cleanText } from '../../src/practice/screen/clean-text.ts';
import { plainJson, plainText } from '../../src/surfaces/cli/output/plain-text.ts';
import { visible as visibleInLog } from '../../src/surfaces/cli/output/visible.ts';
import { visibleJson, visibleText } from '../../src/surfaces/mcp/visible-text.ts';
import { visible as visibleOnPage } from '../../src/surfaces/page/parts/markdown/visible-text.ts';

/**
 * The characters that must not be shown unchanged. They are listed by code point, independently of the regular
 * expression under test.
 */
const RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x061c, 0x061c],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x2064],
  [0x2066, 0x206f],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xe0001, 0xe0001],
  [0xe0020, 0xe007f],
];

const HIDDEN = RANGES.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
);

const notified = (text: string): string => {
  const { title, body } = plainNotification({ title: text, body: text, urgency: 'low' });
  return title + body;
};

const SURFACES: Readonly<Record<string, (text: string) => string>> = {
  'the page': visibleOnPage,
  'the command line': plainText,
  'the JSON of the command line': plainJson,
  'baton logs': visibleInLog,
  'an answer of a package tool': visibleText,
  'the JSON of a package tool': visibleJson,
  'a notification': notified,
  'the screen of the practice agent': cleanText,
};

/** Returns the hidden characters that `show` leaves unchanged in a text. */
const shownAsTheyAre = (show: (text: string) => string): readonly string[] =>
  HIDDEN.filter((character) => [...show(`a${character}z`)].includes(character)).map(
    (character) => `U+${character.codePointAt(0)?.toString(16)}`,
  );

describe('[T7] hidden characters', () => {
  it.each(Object.entries(SURFACES))('hidden characters never appear unchanged in %s', (_, show) => {
    expect(shownAsTheyAre(show)).toEqual([]);
  });

  it.each(Object.entries(SURFACES))('ordinary text appears unchanged in %s', (_, show) => {
    expect(show('Änne 測試 😀 ❤️')).toContain('Änne 測試 😀 ❤️');
  });

  it.each([
    ['the page', visibleOnPage('a\u202eb\u{e0041}'), 'a⟨U+202E⟩b⟨U+E0041⟩'],
    ['baton logs', visibleInLog('a\u202eb\n\u{e0041}'), 'a\\u202eb\\u000a\\udb40\\udc41'],
    ['an answer of a package tool', visibleText('a\u202eb\n\u{e0041}'), 'a\\u202eb\n\\udb40\\udc41'],
  ])('hidden characters appear as character codes in %s', (_, shown, expected) => {
    expect(shown).toBe(expected);
  });

  it('hidden characters are escaped in JSON without changing the value', () => {
    const value = { text: HIDDEN.join(' ') };
    expect(JSON.parse(plainJson(value))).toEqual(value);
    expect(JSON.parse(visibleJson(value))).toEqual(value);
  });

  it('Baton types no hidden character that could control a terminal', () => {
    const sent = [0xad, 0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064];
    const others = [0x206a, 0x206b, 0x206c, 0x206d, 0x206e, 0x206f, 0xfeff, 0xfff9, 0xfffa, 0xfffb, 0xe0001];
    const tags = Array.from({ length: 0x60 }, (_, at) => 0xe0020 + at);
    expect(shownAsTheyAre(typeable)).toEqual([...sent, ...others, ...tags].map((code) => `U+${code.toString(16)}`));
  });
});
