import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useState } from 'react';
import { ALL_PACKAGES, type PackageFilter, packagesQuery } from '../api/package-queries.ts';
import { Button } from '../parts/button.tsx';
import { Empty, PageTitle, Panel } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { PackageFilters } from './package-filters.tsx';
import { PackageRow } from './package-row.tsx';

/** All packages, newest first. */
export function PackagesPage() {
  const { agent = '' } = useSearch({ from: '/packages' });
  // The address sets only the initial filter, so another address needs new state.
  return <List key={agent} begun={agent === '' ? ALL_PACKAGES : { ...ALL_PACKAGES, agent }} />;
}

function List({ begun }: { readonly begun: PackageFilter }) {
  const navigate = useNavigate();
  const [filter, setFilter] = useState(begun);
  const { found, older } = usePieces(useDeferredValue(filter));
  const rows = found.data?.pages.flatMap(({ packages }) => packages) ?? [];
  const names = rows.flatMap(({ from, to }) => [from, to]);
  return (
    <>
      <PageTitle title="Packages" note="Work that agents and people pass to each other, with context and expectations.">
        <Button kind="primary" onClick={() => void navigate({ to: '/packages/new' })}>
          New package
        </Button>
      </PageTitle>
      <PackageFilters filter={filter} onFilter={setFilter} names={names} />
      <Trouble error={found.error} />
      {found.isPending && <Loading what="Loading packages" />}
      {found.isSuccess && rows.length === 0 && <Nothing isFiltered={Object.values(filter).some(Boolean)} />}
      {rows.length > 0 && (
        <Panel>
          <ul aria-label="Packages" className="divide-y divide-line">
            {rows.map((row) => (
              <PackageRow key={row.id} row={row} />
            ))}
          </ul>
        </Panel>
      )}
      {older !== undefined && (
        <div className="mt-4 text-center">
          <Button busy={older.busy} onClick={older.ask}>
            Show older packages
          </Button>
        </div>
      )}
    </>
  );
}

/**
 * The list, and `older`, which loads its next page. `older` is undefined if there is no next page, or while the rows
 * belong to another filter. An event refetches the list and cancels a page in flight, so that page is requested again
 * after the refetch.
 */
function usePieces(filter: PackageFilter) {
  const found = useInfiniteQuery(packagesQuery(filter));
  const [wanted, setWanted] = useState({ filter, pieces: 1 });
  const { hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage } = found;
  const pieces = found.data?.pages.length ?? 0;
  const canGrow = hasNextPage && !isPlaceholderData;
  const lacksOne = canGrow && wanted.filter === filter && wanted.pieces > pieces && !isError;
  useEffect(() => {
    if (lacksOne && !isFetching) void fetchNextPage();
  }, [lacksOne, isFetching, fetchNextPage]);
  const ask = (): void => {
    setWanted({ filter, pieces: pieces + 1 });
    if (isError) void fetchNextPage();
  };
  return { found, older: canGrow ? { ask, busy: lacksOne } : undefined };
}

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) => (
  <Empty title={isFiltered ? 'No matching packages' : 'No packages yet'}>
    {!isFiltered && (
      <>
        Agents create packages with <code className="font-mono">baton package create</code>. You create them with New
        package. docs/PROTOCOL.md describes the fields.
      </>
    )}
  </Empty>
);
