/**
 * Assigns each tile to the column that is shortest so far. Returns for each tile the number of its column, counted from
 * 1.
 */
export function shortestColumns(heights: readonly number[], columns: number): readonly number[] {
  const ends = Array.from({ length: columns }, () => 0);
  return heights.map((height) => {
    const column = ends.indexOf(Math.min(...ends));
    ends[column] = (ends[column] ?? 0) + height;
    return column + 1;
  });
}

/** Returns the height of the tallest column. */
export function tallest(heights: readonly number[], places: readonly number[]): number {
  const ends = new Map<number, number>();
  for (const [index, column] of places.entries()) ends.set(column, (ends.get(column) ?? 0) + (heights[index] ?? 0));
  return Math.max(0, ...ends.values());
}
