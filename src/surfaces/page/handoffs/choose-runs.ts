import type { Run } from '../../../contract/resources.ts';

export const RUN_FILTERS = ['all', 'in_flight', 'failed', 'completed'] as const;
export type RunFilter = (typeof RUN_FILTERS)[number];

type Listed = Pick<Run, 'id' | 'step' | 'over' | 'created_at'>;

const FITS: Readonly<Record<RunFilter, (run: Listed) => boolean>> = {
  all: () => true,
  in_flight: ({ over }) => !over,
  failed: ({ step }) => step === 'failed',
  completed: ({ step }) => step === 'completed',
};

/** The runs that match the filter: those in flight first, then the newest. */
export function chooseRuns<T extends Listed>(runs: readonly T[], filter: RunFilter): readonly T[] {
  return runs.filter(FITS[filter]).sort((one, other) => Number(one.over) - Number(other.over) || other.id - one.id);
}

export const countOf = (runs: readonly Listed[], filter: RunFilter): number => runs.filter(FITS[filter]).length;
