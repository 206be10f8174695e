export const MAX_PIECE = 2_000;
export const OVERLAP = 400;

/**
 * A line in pieces of bounded length, so that no pattern ever runs over more than one piece, however hostile the line.
 * They overlap: what is no longer than the overlap lies whole in one of them.
 */
export function* pieces(line: string): Generator<string> {
  for (let start = 0; start === 0 || start + OVERLAP < line.length; start += MAX_PIECE - OVERLAP)
    yield line.slice(start, start + MAX_PIECE);
}
