import type { ScreenView } from '../../../contract/resources.ts';

export type Line = ScreenView['lines'][number];

const textOf = (line: Line): string => line.map(({ text }) => text).join('');

/** True for a row that is only a horizontal line. Such a row is clipped at the edge of the page instead of wrapped. */
export const isRule = (line: Line): boolean => /^[\s\u2500-\u257f\u2580-\u259f_=-]{20,}$/.test(textOf(line));

/**
 * Removes spaces at the end of each row, because they would wrap into empty rows. Keeps only one of several successive
 * empty rows, because the others would push the end of the screen out of sight.
 */
export function wrappable(lines: readonly Line[]): readonly Line[] {
  const trimmed = lines.map(withoutEnd);
  const last = trimmed.findLastIndex((line) => line.length > 0);
  return trimmed.slice(0, last + 1).filter((line, index) => line.length > 0 || (trimmed[index - 1]?.length ?? 1) > 0);
}

function withoutEnd(line: Line): Line {
  const [last] = line.slice(-1);
  if (last === undefined) return line;
  const text = last.text.trimEnd();
  return text === '' ? withoutEnd(line.slice(0, -1)) : [...line.slice(0, -1), { ...last, text }];
}
