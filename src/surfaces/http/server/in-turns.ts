import { setImmediate } from 'node:timers/promises';

/** After this time, `mapInTurns` lets hooks, deadlines and other requests run before it continues. */
const TURN_MS = 10;

/** Maps the rows of a list in short turns, so that a long list does not block the event loop. */
export async function mapInTurns<T, R>(rows: readonly T[], map: (row: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  let turnBegan = performance.now();
  for (const row of rows) {
    if (performance.now() - turnBegan > TURN_MS) {
      await setImmediate();
      turnBegan = performance.now();
    }
    mapped.push(map(row));
  }
  return mapped;
}
