import type { Run } from '../../../contract/resources.ts';

export const RUN_FILTERS = ['all', 'in_flight', 'failed', 'completed', 'cancelled'] as const;
export type RunFilter = (typeof RUN_FILTERS)[number];

/**
 * Puts the runs in flight before all other runs. The runs in flight are fetched separately, because the list loads the
 * newest runs first and an old run in flight may not be loaded yet.
 */
export function inFlightFirst<T extends Pick<Run, 'id' | 'over'>>(inFlight: readonly T[], runs: readonly T[]): T[] {
  const first = inFlight.filter(({ over }) => !over);
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...runs.filter(({ id }) => !ids.has(id))];
}
