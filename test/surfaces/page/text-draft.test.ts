import { describe, expect, it } from 'vitest';
import { compareLines } from '../../../src/surfaces/page/personas/compare-lines.ts';
import {
  copyTakenBack,
  isOutdated,
  isUnsaved,
  NO_DRAFT,
  saved,
  settled,
  shownText,
  theirsLoaded,
  typed,
} from '../../../src/surfaces/page/personas/text-draft.ts';

const first = { text: 'one', sha256: 'a' };
const theirs = { text: 'two', sha256: 'b' };

describe('a text that is being edited', () => {
  it('until the operator types, the page shows the saved text', () => {
    expect(shownText(NO_DRAFT, theirs)).toBe('two');
    expect(isUnsaved(NO_DRAFT, theirs)).toBe(false);
  });

  it('the page notices that another page has saved the text that the operator is editing', () => {
    const draft = typed(typed(NO_DRAFT, first, 'mine'), first, 'mine!');
    expect(isOutdated(draft, first)).toBe(false);
    expect(isOutdated(draft, theirs)).toBe(true);
    expect(isOutdated(typed(draft, theirs, 'mine!!'), theirs)).toBe(true);
    const mine = { text: 'mine!', sha256: 'c' };
    expect(settled(saved(draft, mine), mine)).toEqual(NO_DRAFT);
  });

  it('the page keeps a text that the operator types while a draft is being saved', () => {
    const now = { text: 'mine', sha256: 'c' };
    const draft = saved(typed(typed(NO_DRAFT, first, 'mine'), first, 'mine and more'), now);
    expect(settled(draft, now)).toBe(draft);
    expect(isUnsaved(draft, now)).toBe(true);
    expect(isOutdated(draft, now)).toBe(false);
  });

  it('once the operator has typed the original text again, a draft counts as unchanged', () => {
    expect(settled(typed(typed(NO_DRAFT, first, 'on'), first, 'one'), first)).toEqual(NO_DRAFT);
    expect(settled(typed(NO_DRAFT, { text: null, sha256: null }, ''), { text: null, sha256: null })).toEqual(NO_DRAFT);
  });

  it('if the operator loads the text that another page saved, the operator can still restore the unsaved draft', () => {
    const loaded = theirsLoaded(typed(NO_DRAFT, first, 'mine'));
    expect(shownText(loaded, theirs)).toBe('two');
    const back = copyTakenBack(loaded, theirs);
    expect(shownText(back, theirs)).toBe('mine');
    expect(isOutdated(back, theirs)).toBe(false);
  });
});

describe('the comparison of two texts', () => {
  const signs = (before: string, after: string) =>
    compareLines(before, after).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`);

  it('the comparison of two texts shows changes with a few lines around them', () => {
    const lines = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
    const other = lines.map((line) => (line === '5' ? 'five' : line));
    expect(signs(lines.join('\n'), other.join('\n'))).toEqual([' ⋯', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' ⋯']);
  });

  it('the comparison of two texts shows common lines as unchanged', () => {
    expect(signs('a\nb\nc\nd', 'b\nx\nd\ne')).toEqual(['-a', ' b', '-c', '+x', ' d', '+e']);
  });

  it('even without common lines, the comparison of two texts is fast', () => {
    const many = (word: string) => Array.from({ length: 5_000 }, (_, at) => `${word} ${at}`).join('\n');
    expect(compareLines(many('this'), many('that'))).toHaveLength(10_000);
  });
});
