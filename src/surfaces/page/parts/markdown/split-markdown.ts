/**
 * The maximum length of a text that is rendered in one piece. The parser's time grows with the square of the length, so
 * a longer text is rendered piece by piece.
 */
const WHOLE = 12_000;
const PIECE = 6_000;
const MAX_DEFINITIONS = 100;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])\s/;
const BEGINS_A_BLOCK = /^[#\p{L}\p{N}*_`[|!]/u;
const DEFINITION = /^ {0,3}\[[^\]]{1,200}\]:\s{0,4}\S/;

/**
 * Splits a text into pieces, but never inside code, a list or a quote. Adds all link definitions of the text to each
 * piece, because a piece may use a link that is defined in another piece.
 */
export function splitMarkdown(text: string): readonly string[] {
  if (text.length <= WHOLE) return [text];
  const pieces: string[] = [];
  const definitions: string[] = [];
  let piece: string[] = [];
  let length = 0;
  let fence: string | null = null;
  let wasBlank = true;
  for (const line of text.split('\n')) {
    if (fence === null && wasBlank && length >= PIECE && BEGINS_A_BLOCK.test(line) && !LIST_ITEM.test(line)) {
      pieces.push(piece.join('\n'));
      piece = [];
      length = 0;
    }
    if (fence === null && DEFINITION.test(line) && definitions.length < MAX_DEFINITIONS) definitions.push(line);
    fence = fenceAfter(fence, line);
    wasBlank = line.trim() === '';
    piece.push(line);
    length += line.length + 1;
  }
  pieces.push(piece.join('\n'));
  const known = definitions.length === 0 ? '' : `\n\n${definitions.join('\n')}`;
  return pieces.map((each) => each + known);
}

/** Returns the fence of the code block that is still open after `line`; null if none is open. */
function fenceAfter(open: string | null, line: string): string | null {
  const marks = FENCE.exec(line)?.[1];
  if (marks === undefined) return open;
  if (open === null) return marks;
  const closes = marks[0] === open[0] && marks.length >= open.length && line.trim() === marks;
  return closes ? null : open;
}
