export const MAX_PIECE = 2_000;
export const OVERLAP = 400;

/**
 * Splits a line into pieces of limited length, so that a hostile line cannot make a regular expression slow.
 * Neighboring pieces overlap, so that every match up to the length of the overlap is complete in one piece.
 */
export function* pieces(line: string): Generator<string> {
  for (let start = 0; start === 0 || start + OVERLAP < line.length; start += MAX_PIECE - OVERLAP)
    yield line.slice(start, start + MAX_PIECE);
}
