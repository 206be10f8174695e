import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  PackageChain,
  PackageDetail,
  PackageList,
  PackageReport,
} from '../../../contract/packages/package-resources.ts';
import type { Event } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { get } from './call.ts';

/** Only events cause a refetch: of ['package', id] when that package changes, of ['packages'] when any does. */
const fresh = { staleTime: Number.POSITIVE_INFINITY } as const;

export const isPackageId = (id: unknown): id is string => typeof id === 'string' && /^HO-(\d{4}-)?\d{3,9}$/.test(id);

/** Validates the id, because an address can contain anything. */
function idIn(id: string): string {
  if (!isPackageId(id)) throw new Error('Page not found: the address has no valid package ID.');
  return id;
}

export interface PackageFilter {
  readonly state: string;
  readonly type: string;
  readonly agent: string;
  readonly text: string;
}

export const ALL_PACKAGES: PackageFilter = { state: '', type: '', agent: '', text: '' };

const PIECE = 50;

/** Packages, newest first, one page of rows at a time. `open` means all states that are not over. */
export const packagesQuery = (filter: PackageFilter) =>
  infiniteQueryOptions({
    ...fresh,
    queryKey: ['packages', 'list', filter],
    queryFn: ({ pageParam, signal }) => get<PackageList>(`${PATHS.packages}?${asked(filter, pageParam)}`, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });

function asked({ state, ...filter }: PackageFilter, before: string): URLSearchParams {
  const wanted = { ...filter, ...(state === 'open' ? { open: '1' } : { state }), before, limit: String(PIECE) };
  return new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== ''));
}

/** All packages that are not over. */
export const openPackagesQuery = queryOptions({
  ...fresh,
  queryKey: ['packages', 'open'],
  queryFn: async ({ signal }) => (await get<PackageList>(`${PATHS.packages}?open=1`, signal)).packages,
});

export const packageQuery = (id: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['package', id],
    queryFn: ({ signal }) => get<PackageDetail>(PATHS.package(idIn(id)), signal),
  });

/** Changes of files send no event, so the report is fetched again each time the page is opened. */
export const packageReportQuery = (id: string) =>
  queryOptions({
    queryKey: ['package', id, 'report'],
    queryFn: ({ signal }) => get<PackageReport>(PATHS.packageVerb(idIn(id), 'report'), signal),
    staleTime: 0,
  });

export const packageEventsQuery = (id: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['package', id, 'events'],
    queryFn: async ({ signal }) =>
      (await get<{ events: Event[] }>(`${PATHS.events}?package=${idIn(id)}`, signal)).events,
  });

export const packageChainQuery = (id: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['packages', 'chain', id],
    queryFn: ({ signal }) => get<PackageChain>(PATHS.packageVerb(idIn(id), 'chain'), signal),
  });
