/** Beyond these the parser takes more than its share of time, and the page would stand still meanwhile. */
const LONGEST = 200_000;
const MAX_PIECE = 20_000;
const MAX_LINE = 4_000;
const DEEPEST = 12;

/** Quotes and lists within each other: each level is parsed again for every line. */
const NESTING = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/;
const MARK = />|[-*+]|\d{1,9}[.)]/g;

/** Why a text is not even begun to be rendered; undefined if it is. */
export const tooLong = (text: string): string | undefined =>
  text.length > LONGEST ? `This text is long (${Math.round(text.length / 1_000)} kB)` : undefined;

/** Why a piece of it is not rendered; undefined if it is. */
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
  // A list below a list stands further in, without marks of the lists above it.
  const indent = (/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
  return marks + (marks > 0 ? indent / 2 : 0);
}
