export const MAX_PIECE = 2_000;
export const OVERLAP = 400;

/**
 * Splits a line into pieces of bounded length, so that a hostile line cannot make a pattern slow. The pieces overlap,
 * so one piece contains the whole match if the match is no longer than the overlap.
 */
export function* pieces(line: string): Generator<string> {
  for (let start = 0; start === 0 || start + OVERLAP < line.length; start += MAX_PIECE - OVERLAP)
    yield line.slice(start, start + MAX_PIECE);
}
