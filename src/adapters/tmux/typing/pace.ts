import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/**
 * Returns a function that gives the next interval between two readings of a screen. The intervals are short at first,
 * because most changes happen soon, and then grow to a limit.
 */
export function createPace(first: number, limit: number): () => number {
  let next = first;
  return () => {
    const now = next;
    next = Math.min(limit, next * 1.5);
    return now;
  };
}

/**
 * Sleeps until this time of `performance.now()`, accurate to a fraction of a millisecond. Timers fire late and count
 * whole milliseconds. So the function sets a timer that is too short, and waits for the rest in turns of the event
 * loop.
 */
export async function sleepUntil(due: number): Promise<void> {
  const left = due - performance.now();
  if (left >= 2) await sleep(Math.floor(left) - 1);
  while (performance.now() < due) await nextTurn();
}

const POLL_MS = 5;
const poll = (ms: number): Promise<void> => sleep(Math.min(ms, POLL_MS));

/**
 * Waits until `isSo` returns true, but at most this many milliseconds. `awaitNews` waits until the result of `isSo` may
 * have changed.
 */
export async function becomesSoWithin(ms: number, isSo: () => boolean, awaitNews = poll): Promise<boolean> {
  const end = performance.now() + ms;
  for (let left = ms; left > 0; left = end - performance.now()) {
    if (isSo()) return true;
    await awaitNews(left);
  }
  return isSo();
}
