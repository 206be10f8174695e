import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { UsageGroup, UsageView } from '../../../contract/history/usage.ts';
import { PATHS } from '../../../contract/routes.ts';
import { get } from './call.ts';

export interface UsageRequest {
  readonly by: UsageGroup;
  /** The number of days in the period, which ends today. */
  readonly days: number;
  readonly persona?: string;
}

const DAY_MS = 86_400_000;

/**
 * The tokens of a period. The page asks again every few seconds, because reports of working agents cause no event.
 */
export const usageQuery = ({ by, days, persona }: UsageRequest) =>
  queryOptions({
    queryKey: ['usage', by, days, persona ?? ''],
    queryFn: ({ signal }) => {
      const since = new Date(Date.now() - (days - 1) * DAY_MS).toISOString();
      const query = new URLSearchParams({ by, since, ...(persona === undefined ? {} : { persona }) });
      return get<UsageView>(`${PATHS.usage}?${query}`, signal);
    },
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  });
