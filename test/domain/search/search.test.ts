import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instant } from '../../../src/domain/instant.ts';
import { isRefusal } from '../../../src/domain/refusals.ts';
import { decisionSections } from '../../../src/domain/search/decision-sections.ts';
import { excerptOf } from '../../../src/domain/search/excerpt.ts';
import { freeId } from '../../../src/domain/search/search-entry.ts';
import { parseQuery, phraseFilter, type SearchQuery } from '../../../src/domain/search/search-query.ts';
import { distinctWords, fold, wordsIn } from '../../../src/domain/search/search-words.ts';

const parsed = (text: string): SearchQuery => {
  const query = parseQuery(text);
  if (isRefusal(query)) throw new Error(query.sentence);
  return query;
};
const shown = (text: string, query: string): string | undefined =>
  excerptOf(text, parsed(query))
    ?.parts.map(({ text: piece, isHit }) => (isHit ? `[${piece}]` : piece))
    .join('');

describe('the words of a text', () => {
  it('the search ignores accents and capitals, so a search for "cafe" finds "Café"', () => {
    expect([...distinctWords('Café CAFÉ cafe naïve')]).toEqual(['cafe', 'naive']);
  });

  it('the search treats each Chinese or Japanese character as a separate word', () => {
    expect([...wordsIn('部署v2完成')].map(({ folded }) => folded)).toEqual(['部', '署', 'v2', '完', '成']);
  });

  it('the search splits a text at every character that is not a letter, a digit or a mark in Unicode', () => {
    const [asian, letter] = ['\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}', '[\\p{L}\\p{N}\\p{M}]'];
    const word = new RegExp(`[${asian}]|(?:(?![${asian}])${letter})+`, 'gu');
    const piece = fc.oneof(
      fc.constantFrom('a', 'Z9', ' ', '_', 'ß', '\u0301', '完', '🎉', '\uD800', '²', 'ｶ'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const expected = [...text.matchAll(word)].map(([found]) => found).filter((found) => fold(found) !== '');
        expect(wordsIn(text).map(({ start, end }) => text.slice(start, end))).toEqual(expected);
      }),
    );
  });

  it('if the search splits a text into words, no word contains a space, a quotation mark or an operator of FTS5', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        for (const { folded } of wordsIn(text)) if (!/^[\p{L}\p{N}\p{M}]+$/u.test(folded)) throw new Error(folded);
      }),
    );
    expect(fold('\uFDFA')).not.toContain(' ');
  });
});

describe('a query', () => {
  it('a search query is split into words, but the words of a phrase or of a file name stay together', () => {
    const words = parsed('Retry "exactly once" record-facts.ts').map((part) => part.map(({ folded }) => folded));
    expect(words).toEqual([['retry'], ['exactly', 'once'], ['record', 'facts', 'ts']]);
  });

  it('an asterisk at the end of a search word or phrase makes its last word a prefix', () => {
    expect(parsed('hand* "safe poi*"').flat()).toEqual([
      { folded: 'hand', isPrefix: true },
      { folded: 'safe', isPrefix: false },
      { folded: 'poi', isPrefix: true },
    ]);
  });

  it.each([
    ['', 'no word'],
    ['  \u0000 "" * -()', 'no word'],
    ['ab*', 'too short'],
    ['x'.repeat(1001), 'longer than 1000 characters'],
    ['a '.repeat(21), 'more than 20 words'],
  ])('the search query %j is refused with one sentence', (query, sentence) => {
    expect(parseQuery(query)).toMatchObject({ code: 'bad_request', sentence: expect.stringContaining(sentence) });
  });

  it('in a search query, operators and unbalanced quotation marks of FTS5 are plain words', () => {
    expect(
      parsed('"retry AND (NOT^ text:budget NEAR/3')
        .flat()
        .map(({ folded }) => folded),
    ).toEqual(['retry', 'and', 'not', 'text', 'budget', 'near', '3']);
  });
});

describe('an excerpt', () => {
  it("an excerpt of a search hit marks the query's words and gives their line number", () => {
    const text = 'First line\nWe keep the retry budget at three.\n';
    expect(shown(text, 'BUDGET retry')).toBe('First line We keep the [retry] [budget] at three. ');
    expect(excerptOf(text, parsed('budget'))?.line).toBe(2);
  });

  it('the search shows no excerpt if the words of a phrase are in another order in the text', () => {
    expect(shown('once, and exactly', '"exactly once"')).toBeUndefined();
    expect(shown('It runs exactly once.', '"exactly once"')).toBe('It runs [exactly once].');
  });

  it('the fast phrase filter accepts exactly the ASCII texts for which the search can show an excerpt', () => {
    const word = fc.constantFrom('exactly', 'Once', 'on', 'x'.repeat(64), 'x'.repeat(70), '7', 'EXACTLY');
    const gap = fc.constantFrom(' ', '\n', '-', '', ' , ');
    const ascii = fc.array(fc.tuple(word, gap), { maxLength: 8 }).map((pieces) => pieces.flat().join(''));
    const query = fc.constantFrom('"exactly once"', '"once onc*"', `"7 ${'x'.repeat(64)}"`, 'once', 'on "7 7"');
    fc.assert(
      fc.property(ascii, query, (text, asked) => {
        const expected =
          excerptOf(
            text,
            parsed(asked).filter((part) => part.length > 1),
          ) !== undefined;
        expect(phraseFilter(parsed(asked))(text)).toBe(expected);
      }),
    );
    expect(phraseFilter(parsed('"grosse strasse"'))('große Straße')).toBe(true);
  });

  it('the excerpt of a long text shows the place with the most words of the query', () => {
    const far = `${'filler '.repeat(200)}retry ${'filler '.repeat(200)}retry budget ${'filler '.repeat(200)}`;
    expect(shown(far, 'retry budget')).toMatch(/^….*\[retry\] \[budget\].*…$/);
    expect(shown(far, 'retry budget')?.length).toBeLessThan(300);
  });
});

describe('the decisions of a handoff document', () => {
  it("a document's section about decisions ends at the next heading of the same level, but not at a heading inside a code block", () => {
    const text = '# Handoff\n## Decisions\n### Queue\nNATS\n```\n## Not a heading\n```\n## Next steps\n1. Go on';
    expect(decisionSections(text)).toEqual([
      { line: 2, text: '## Decisions\n### Queue\nNATS\n```\n## Not a heading\n```' },
    ]);
  });

  it('Baton ignores an empty section about decisions in a handoff document', () => {
    expect(decisionSections('## What was decided\n\n## Next')).toEqual([]);
  });
});

describe('the id of a text', () => {
  it('in the search, a newer text has a larger id, and 40 texts of one second have different ids', () => {
    const used = new Set<number>();
    const highest = (from: number, to: number) =>
      [...used].filter((id) => id >= from && id <= to).sort((a, b) => b - a)[0];
    const give = (at: string): number => {
      const id = freeId(at as Instant, highest);
      used.add(id);
      return id;
    };
    const ids = Array.from({ length: 40 }, () => give('2026-11-15T08:00:00.000Z'));
    expect(new Set(ids).size).toBe(40);
    expect(give('2026-11-15T08:01:00.000Z')).toBeGreaterThan(Math.max(...ids));
    expect(give('2026-11-15T07:59:00.000Z')).toBeLessThan(Math.min(...ids));
  });
});
