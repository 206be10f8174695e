import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useDeferredValue, useState } from 'react';
import { useIsInFleet } from '../api/fleet-queries.ts';
import { ALL_PACKAGES, type PackageFilter, packagesQuery } from '../api/package-queries.ts';
import { Button } from '../parts/button.tsx';
import { ShowOlder, useOlder } from '../parts/lists/show-older.tsx';
import { Column, Empty, PageTitle, Panel } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { PackageFilters } from './package-filters.tsx';
import { PackageRow } from './package-row.tsx';

/** The parts of the page for other machines. They are loaded only if this Baton is in a fleet. */
const MachineFilter = lazy(async () => ({ default: (await import('../machines/machine-filter.tsx')).MachineFilter }));
const ListOfMachine = lazy(() => import('../machines/lists-of-machine.tsx'));

/**
 * The packages of this machine or, in a fleet, of the machine that the operator chooses. The newest package comes
 * first.
 */
export function PackagesPage() {
  const { agent = '', machine } = useSearch({ from: '/packages' });
  const navigate = useNavigate();
  const isInFleet = useIsInFleet();
  return (
    <Column>
      <PageTitle title="Packages" note="Work that agents and people pass to each other, with context and expectations.">
        {isInFleet && (
          <Suspense>
            <MachineFilter page="/packages" machine={machine} />
          </Suspense>
        )}
        <Button onClick={() => void navigate({ to: '/packages/workflows' })}>Workflows</Button>
        <Button kind="primary" onClick={() => void navigate({ to: '/packages/new' })}>
          New package
        </Button>
      </PageTitle>
      {isInFleet && machine !== undefined ? (
        <Suspense fallback={<Loading what="Loading packages" />}>
          <ListOfMachine machine={machine} list="packages" />
        </Suspense>
      ) : (
        // Use the agent in the address only as the initial filter. The React key resets the list when the address
        // changes.
        <List key={agent} begun={agent === '' ? ALL_PACKAGES : { ...ALL_PACKAGES, agent }} />
      )}
    </Column>
  );
}

function List({ begun }: { readonly begun: PackageFilter }) {
  const [filter, setFilter] = useState(begun);
  const deferred = useDeferredValue(filter);
  const found = useInfiniteQuery(packagesQuery(deferred));
  const older = useOlder(found, deferred);
  const rows = found.data?.pages.flatMap(({ packages }) => packages) ?? [];
  const names = rows.flatMap(({ from, to }) => [from, to]);
  return (
    <>
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
      <ShowOlder older={older} rows="packages" />
    </>
  );
}

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) => (
  <Empty title={isFiltered ? 'No matching packages' : 'No packages yet'}>
    {!isFiltered && (
      <>
        Agents create packages for other agents. You create one with New package. docs/PROTOCOL.md describes the fields.
      </>
    )}
  </Empty>
);
