import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  PackageAgents,
  PackageChain,
  PackageContents,
  PackageDetail,
  PackageList,
  PackageReport,
} from '../../../contract/packages/package-resources.ts';
import type { WorkflowView } from '../../../contract/packages/workflow.ts';
import type { Event } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { ask } from './ask.ts';

/**
 * Never refetch a package only because its data is old. An event about a package refetches the query ['package', id] of
 * this package and all queries under ['packages'].
 */
const fresh = { staleTime: Number.POSITIVE_INFINITY } as const;

export const isPackageId = (id: unknown): id is string => typeof id === 'string' && /^HO-(\d{4}-)?\d{3,9}$/.test(id);

/**
 * Returns the id if it is valid. Throws otherwise, because the id comes from the page's address, which can contain
 * anything.
 */
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

/** Packages, newest first, one page of rows at a time. `open` selects all packages that have not ended. */
export const packagesQuery = (filter: PackageFilter) =>
  infiniteQueryOptions({
    ...fresh,
    queryKey: ['packages', 'list', filter],
    queryFn: ({ pageParam, ...from }) => ask<PackageList>(`${PATHS.packages}?${asked(filter, pageParam)}`, from),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });

/** The packages of another machine that this machine knows about, newest first. */
export const knownPackagesQuery = queryOptions({
  ...fresh,
  queryKey: ['packages', 'known'],
  queryFn: async (from) => (await ask<PackageList>(PATHS.packages, from)).packages,
});

function asked({ state, ...filter }: PackageFilter, before: string): URLSearchParams {
  const wanted = { ...filter, ...(state === 'open' ? { open: '1' } : { state }), before, limit: String(PIECE) };
  return new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== ''));
}

/**
 * The workflow of a project, which the server reads from a file. The page fetches the workflow at each visit, because a
 * change of the file causes no event.
 */
export const workflowQuery = (projectId: number) =>
  queryOptions({
    staleTime: 0,
    queryKey: ['packages', 'workflow', projectId],
    queryFn: (from) => ask<WorkflowView>(PATHS.workflow(projectId), from),
  });

/** The query for all packages that have not ended. */
export const openPackagesQuery = queryOptions({
  ...fresh,
  queryKey: ['packages', 'open'],
  queryFn: async (from) => (await ask<PackageList>(`${PATHS.packages}?open=1`, from)).packages,
});

export const packageQuery = (id: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['package', id],
    queryFn: (from) => ask<PackageDetail>(PATHS.package(idIn(id)), from),
  });

/**
 * The report about a package and its files. Fetched each time the page is opened, because a change of a file causes no
 * event.
 */
export const packageReportQuery = (id: string) =>
  queryOptions({
    queryKey: ['package', id, 'report'],
    queryFn: (from) => ask<PackageReport>(PATHS.packageVerb(idIn(id), 'report'), from),
    staleTime: 0,
  });

export const packageEventsQuery = (id: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['package', id, 'events'],
    queryFn: async (from) => (await ask<{ events: Event[] }>(`${PATHS.events}?package=${idIn(id)}`, from)).events,
  });

export const packageChainQuery = (id: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['packages', 'chain', id],
    queryFn: (from) => ask<PackageChain>(PATHS.packageVerb(idIn(id), 'chain'), from),
  });

/** The names that a package can be addressed to. */
export const packageReceiversQuery = queryOptions({
  queryKey: ['package-receivers'],
  queryFn: async (from) => (await ask<PackageAgents>(PATHS.packageAgents, from)).agents.map(({ name }) => name),
});

/**
 * The texts of the artifacts, both as sealed and as they are now. The key begins with the key of the package, so an
 * event about the package also refetches these texts. The key ends with the version of the package, and `select` hides
 * the texts of any other version. So the page never shows the texts of one version beside another version of the
 * package.
 */
export const packageContentsQuery = ({ id, seen }: Pick<PackageDetail, 'id' | 'seen'>) =>
  queryOptions({
    queryKey: ['package', id, 'contents', seen],
    queryFn: (from) => ask<PackageContents>(PATHS.packageVerb(idIn(id), 'contents'), from),
    select: (contents) => (contents.package_seen === seen ? contents : null),
  });
