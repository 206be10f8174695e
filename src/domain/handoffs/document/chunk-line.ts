export const MAX_PIECE = 2_000;
export const OVERLAP = 400;

/**
 * Splits a line into pieces of limited length, so that a hostile line cannot make a regular expression slow. The pieces
 * overlap, so that a match no longer than the overlap is always complete in one of them.
 */
export function* pieces(line: string): Generator<string> {
  for (let start = 0; start === 0 || start + OVERLAP < line.length; start += MAX_PIECE - OVERLAP)
    yield line.slice(start, start + MAX_PIECE);
}
