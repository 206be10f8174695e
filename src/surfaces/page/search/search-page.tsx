import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { type SearchRequest, searchQuery } from '../api/search-query.ts';
import { ShowOlder, useOlder } from '../parts/lists/show-older.tsx';
import { Column, Empty, PageTitle, Panel } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { HitRow } from './hit-row.tsx';
import { SearchFilters } from './search-filters.tsx';

const EMPTY: SearchRequest = { q: '', kind: '', persona: '', project: '', since: '', until: '' };

/**
 * Searches documents, decisions, packages and prompts. The address of the page contains the search, so that the
 * operator can bookmark a search.
 */
export function SearchPage() {
  const wanted: SearchRequest = { ...EMPTY, ...useSearch({ from: '/search' }) };
  const navigate = useNavigate();
  const change = (changed: Partial<SearchRequest>): void => {
    const given = Object.entries({ ...wanted, ...changed }).filter(([, value]) => value !== '');
    void navigate({ to: '/search', search: Object.fromEntries(given), replace: true });
  };
  return (
    <Column>
      <PageTitle title="Search" note="Handoff documents, decisions, packages, prompts, answers and lessons." />
      <SearchFilters wanted={wanted} onChange={change} />
      {wanted.q.trim() === '' ? (
        <Empty title="What are you looking for?">
          All words must occur. Put a phrase in quotation marks; end a word with * to find its longer forms.
        </Empty>
      ) : (
        <Hits wanted={wanted} />
      )}
    </Column>
  );
}

function Hits({ wanted }: { readonly wanted: SearchRequest }) {
  const request = useDeferredValue(wanted);
  const found = useInfiniteQuery(searchQuery(request));
  const older = useOlder(found, JSON.stringify(request));
  const hits = found.data?.pages.flatMap((page) => page.hits);
  const isFiltered = Object.entries(request).some(([name, value]) => name !== 'q' && value !== '');
  const percent = found.data?.pages[0]?.indexed_percent ?? 100;
  return (
    <>
      <Trouble error={found.error} />
      {percent < 100 && (
        <p role="status" className="mb-3 text-sm text-muted">
          Baton is still reading the history of this home: {percent} % can be found so far.
        </p>
      )}
      {hits === undefined && found.error === null && <Loading what="Searching" />}
      {hits !== undefined && found.error === null && hits.length === 0 && older === undefined && (
        <Empty title="Nothing found">
          {isFiltered
            ? 'Try fewer words, or clear the filters.'
            : 'Try fewer words, or end a word with * to find longer forms.'}
        </Empty>
      )}
      {hits !== undefined && found.error === null && hits.length > 0 && (
        <Panel>
          <ul aria-label="Hits" className="divide-y divide-line">
            {hits.map((hit) => (
              <HitRow key={hit.id} hit={hit} />
            ))}
          </ul>
        </Panel>
      )}
      <ShowOlder older={older} rows="hits" />
    </>
  );
}
