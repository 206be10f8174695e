import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { SearchResult } from '../../../contract/history/search.ts';
import { PATHS } from '../../../contract/routes.ts';
import { get } from './call.ts';

/** The operator's search. An empty field does not restrict the search. */
export interface SearchRequest {
  readonly q: string;
  readonly kind: string;
  readonly persona: string;
  readonly project: string;
  /** A day such as 2026-11-15 in the time zone of the browser. */
  readonly since: string;
  readonly until: string;
}

/** The hits of a search, newest first, one page at a time. The result is fetched again whenever the page is opened. */
export const searchQuery = ({ since, until, ...given }: SearchRequest) =>
  infiniteQueryOptions({
    queryKey: ['search', given, since, until],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''));
      if (since !== '') query.set('since', new Date(`${since}T00:00`).toISOString());
      if (until !== '') query.set('until', new Date(`${until}T23:59:59.999`).toISOString());
      if (pageParam !== null) query.set('before', String(pageParam));
      return get<SearchResult>(`${PATHS.search}?${query}`, signal);
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    enabled: given.q.trim() !== '',
  });
