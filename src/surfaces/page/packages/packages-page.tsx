import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
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
  // Another address is another question.
  return <List key={agent} begun={agent === '' ? ALL_PACKAGES : { ...ALL_PACKAGES, agent }} />;
}

function List({ begun }: { readonly begun: PackageFilter }) {
  const [filter, setFilter] = useState(begun);
  const found = useInfiniteQuery(packagesQuery(useDeferredValue(filter)));
  const rows = found.data?.pages.flatMap(({ packages }) => packages) ?? [];
  const names = rows.flatMap(({ from, to }) => [from, to]);
  return (
    <>
      <PageTitle
        title="Packages"
        note="What agents and people pass to each other: context, responsibility, what is expected."
      />
      <PackageFilters filter={filter} onFilter={setFilter} names={names} />
      <Trouble error={found.error} />
      {found.isPending && <Loading what="Asking for the packages" />}
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
      {found.hasNextPage && (
        <div className="mt-4 text-center">
          <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            Show older ones
          </Button>
        </div>
      )}
    </>
  );
}

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) => (
  <Empty title={isFiltered ? 'No package fits' : 'No packages yet'}>
    {!isFiltered && (
      <>
        An agent writes one with <code className="font-mono">baton package create</code>; its fields are in
        docs/PROTOCOL.md.
      </>
    )}
  </Empty>
);
