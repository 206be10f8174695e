const TRIES = 12;

/**
 * Measures the time of work on a shared machine. Returns the fastest of several tries, or the first try that is fast
 * enough. Other load can only slow a try down, so a slow result of every try means that the work itself is slow.
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
