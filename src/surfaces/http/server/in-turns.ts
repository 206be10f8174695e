import { setImmediate } from 'node:timers/promises';
import type { Store } from '../../../app/ports/store.ts';

/** The maximum length of one turn of `mapInTurns`. Between turns, hooks, deadlines and other requests can run. */
const TURN_MS = 10;

/**
 * Maps the rows of a list in short turns, so that a long list does not block the event loop. If `map` reads the store,
 * pass the store as well. Each turn then runs in one read transaction, which is faster.
 */
export async function mapInTurns<T, R>(
  rows: readonly T[],
  map: (row: T) => R,
  store?: Pick<Store, 'read'>,
): Promise<R[]> {
  const mapped: R[] = [];
  const oneTurn = (): void => {
    const began = performance.now();
    for (const row of rows.slice(mapped.length)) {
      mapped.push(map(row));
      if (performance.now() - began > TURN_MS) return;
    }
  };
  for (;;) {
    if (store === undefined) oneTurn();
    else store.read(oneTurn);
    if (mapped.length === rows.length) return mapped;
    await setImmediate();
  }
}
