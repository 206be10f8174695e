const TRIES = 12;

/**
 * Times work on a shared machine: returns the fastest of several tries, or the first that is fast enough. Load can only
 * slow a try down, so work that is really too slow is still reported as too slow.
 */
export function fastestOf(work: () => void, enoughMs: number): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && fastest > enoughMs; tries++) {
    const began = performance.now();
    work();
    fastest = Math.min(fastest, performance.now() - began);
  }
  return fastest;
}
