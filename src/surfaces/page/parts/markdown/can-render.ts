/**
 * The limits of rendered Markdown. For a text beyond these limits the parser would take so long that the page would
 * freeze.
 */
const LONGEST = 200_000;
const MAX_PIECE = 20_000;
const MAX_LINE = 4_000;
const DEEPEST = 12;

/**
 * Matches the marks of nested quotes and lists. Deep nesting is slow, because the parser processes every level again
 * for every line.
 */
const NESTING = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/;
const MARK = />|[-*+]|\d{1,9}[.)]/g;

/** Returns why a text is not rendered at all; undefined if it is rendered. */
export const tooLong = (text: string): string | undefined =>
  text.length > LONGEST ? `This text is long (${Math.round(text.length / 1_000)} kB)` : undefined;

/** Returns why a piece of a text is not rendered; undefined if it is rendered. */
export function whyNotRendered(piece: string): string | undefined {
  if (piece.length > MAX_PIECE) return 'This part is very long';
  for (const line of piece.split('\n')) {
    if (line.length > MAX_LINE) return 'This part has a very long line';
    if (depthOf(line) > DEEPEST) return 'This part is nested very deeply';
  }
  return undefined;
}

function depthOf(line: string): number {
  const marks = NESTING.exec(line)?.[0].match(MARK)?.length ?? 0;
  // Count the indentation as nesting, too. A line in a nested list is indented, but does not repeat the marks of the
  // outer lists.
  const indent = (/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
  return marks + (marks > 0 ? indent / 2 : 0);
}
