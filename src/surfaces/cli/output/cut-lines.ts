import { displayWidth } from '../../../contract/words/display-width.ts';
import type { Writer } from '../cli-deps.ts';
import { ink, type Part, textOf } from './ink.ts';
import { plainText } from './plain-text.ts';

const segmenter = new Intl.Segmenter();

/**
 * Returns the width of the terminal. Returns undefined if the output goes to a file or a program. In that case lines
 * are not truncated.
 */
export function columnsOf({ isTTY, columns }: Writer): number | undefined {
  // Assume 80 columns for a terminal that reports a width of 0, as some terminals do.
  return isTTY === true ? columns || 80 : undefined;
}

/** Truncates each line to the width of the terminal. A truncated line ends with `…`. */
export function cutLines(
  lines: readonly (readonly Part[])[],
  columns: number | undefined,
): readonly (readonly Part[])[] {
  return columns === undefined ? lines : lines.map((line) => cutLine(line, columns));
}

function cutLine(parts: readonly Part[], columns: number): readonly Part[] {
  const width = parts.reduce((sum, part) => sum + displayWidth(plainText(textOf(part))), 0);
  if (width <= columns) return parts;
  let left = columns - 1;
  const kept: Part[] = [];
  for (const part of parts) {
    const text = cutText(plainText(textOf(part)), left);
    left -= displayWidth(text);
    kept.push(typeof part === 'string' ? text : ink(part.colour, text));
  }
  return [...kept, '…'];
}

/** The longest beginning of the text that fits into the given number of columns. */
export function cutText(text: string, columns: number): string {
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += displayWidth(segment);
    if (width > columns) break;
    kept += segment;
  }
  return kept;
}
