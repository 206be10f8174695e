import { displayWidth } from '../../../contract/words/display-width.ts';

export interface Cells {
  readonly text: string;
  /**
   * The width in columns of a character that the terminal font lacks. Null for all other text, because each of its
   * characters is one column wide.
   */
  readonly columns: number | null;
}

/** Characters that the terminal font has: Latin, Greek, Cyrillic, punctuation, arrows, lines, blocks and shapes. */
const PARTS = /[\u0020-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u25ff]+/g;
const OUTSIDE_FONT = /[^\u0020-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u25ff]/;
const segmenter = new Intl.Segmenter();

/**
 * Splits a text at each character that the terminal font lacks. The browser takes these characters from another font.
 * Each of them gets the width that tmux has counted, because otherwise the rest of the row would shift.
 */
export function cellsOf(text: string): readonly Cells[] {
  if (!OUTSIDE_FONT.test(text)) return [{ text, columns: null }];
  const cells: Cells[] = [];
  let from = 0;
  for (const { 0: plain, index } of text.matchAll(PARTS)) {
    cells.push(...singly(text.slice(from, index)), { text: plain, columns: null });
    from = index + plain.length;
  }
  return [...cells, ...singly(text.slice(from))];
}

const singly = (text: string): Cells[] =>
  [...segmenter.segment(text)].map(({ segment }) => ({ text: segment, columns: displayWidth(segment) }));
