import { setImmediate } from 'node:timers/promises';
import type { Store } from '../../../app/ports/store.ts';

/** After this time, `mapInTurns` lets hooks, deadlines and other requests run before it continues. */
const TURN_MS = 10;

/**
 * Maps the rows of a list in short turns, so that a long list does not block the event loop. If `map` reads the store,
 * pass the store as well: each turn is then one read transaction, and the store checks its cached rows only once per
 * turn.
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
