import { useState } from 'react';
import { PageTitle } from '../parts/panel.tsx';
import { EventFilters } from './event-filters.tsx';
import { EVERYTHING } from './event-kinds.ts';
import { EventList } from './event-list.tsx';

/** The whole log, newest first: what happened, to whom, and when. */
export function ActivityPage() {
  const [filter, setFilter] = useState(EVERYTHING);
  const [search, setSearch] = useState('');
  return (
    <>
      <PageTitle title="Activity" note="Everything that Baton has seen and done, as it is kept in its log." />
      <EventFilters filter={filter} onFilter={setFilter} search={search} onSearch={setSearch} />
      <EventList key={JSON.stringify(filter)} filter={filter} search={search} />
    </>
  );
}
