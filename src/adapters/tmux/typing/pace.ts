/** Intervals between readings of a screen: short at first, because most things happen soon, then growing to a limit. */
export function createPace(first: number, limit: number): () => number {
  let next = first;
  return () => {
    const now = next;
    next = Math.min(limit, next * 1.5);
    return now;
  };
}
