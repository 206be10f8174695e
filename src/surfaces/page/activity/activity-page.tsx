import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useIsInFleet } from '../api/fleet-queries.ts';
import { PageTitle } from '../parts/panel.tsx';
import { EventFilters } from './event-filters.tsx';
import { EVERYTHING } from './event-kinds.ts';
import { EventList } from './event-list.tsx';

/** The page that shows the whole log of events, newest first. */
export function ActivityPage() {
  const { agent = null } = useSearch({ from: '/activity' });
  const [filter, setFilter] = useState({ ...EVERYTHING, agent });
  const [search, setSearch] = useState('');
  return (
    <>
      <PageTitle title="Activity" note="Everything Baton has observed and done." />
      {useIsInFleet() && (
        <p className="mb-4 text-sm text-muted">
          These are the events of this machine only. Baton on each other machine shows the events of that machine; the
          state of all machines is under{' '}
          <Link to="/machines" className="text-accent underline">
            Machines
          </Link>
          .
        </p>
      )}
      <EventFilters filter={filter} onFilter={setFilter} search={search} onSearch={setSearch} />
      <EventList key={JSON.stringify(filter)} filter={filter} search={search} />
    </>
  );
}
