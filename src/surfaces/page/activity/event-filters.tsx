import { useQuery } from '@tanstack/react-query';
import { runStatus } from '../../../contract/words/step-words.ts';
import { runsQuery } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { classes } from '../parts/class-names.ts';
import { Field, Select, TextInput } from '../parts/field.tsx';
import { AgentFilter } from './agent-filter.tsx';
import { EVERYTHING, type EventFilter, KINDS } from './event-kinds.ts';

const numberOrNull = (value: string): number | null => (value === '' ? null : Number(value));

export function EventFilters({
  filter,
  onFilter,
  search,
  onSearch,
}: {
  readonly filter: EventFilter;
  readonly onFilter: (filter: EventFilter) => void;
  readonly search: string;
  readonly onSearch: (search: string) => void;
}) {
  const isFiltered = search !== '' || Object.values(filter).some((each) => each !== null);
  return (
    <search aria-label="Filter events" className="mb-2 grid grid-cols-2 gap-x-3 lg:grid-cols-[1fr_1fr_1fr_1.5fr_auto]">
      <AgentFilter agent={filter.agent} onAgent={(agent) => onFilter({ ...filter, agent })} />
      <Field label="Kind">
        {(ids) => (
          <Select
            {...ids}
            value={filter.kind ?? ''}
            onChange={({ target }) =>
              onFilter({ ...filter, kind: target.value === '' ? null : (target.value as EventFilter['kind']) })
            }
          >
            <option value="">All kinds</option>
            {KINDS.map(({ kind, title }) => (
              <option key={kind} value={kind}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <RunFilter filter={filter} onFilter={onFilter} />
      <Field label="Filter loaded events">
        {(ids) => <TextInput {...ids} type="search" value={search} onChange={({ target }) => onSearch(target.value)} />}
      </Field>
      <Button
        kind="quiet"
        disabled={!isFiltered}
        className={classes('col-span-2 mb-4 self-end lg:col-span-1', !isFiltered && 'max-lg:hidden')}
        onClick={() => {
          onFilter(EVERYTHING);
          onSearch('');
        }}
      >
        Clear filters
      </Button>
    </search>
  );
}

interface FilterProps {
  readonly filter: EventFilter;
  readonly onFilter: (filter: EventFilter) => void;
}

function RunFilter({ filter, onFilter }: FilterProps) {
  const { data: runs = [] } = useQuery(runsQuery);
  return (
    <Field label="Handoff">
      {(ids) => (
        <Select
          {...ids}
          value={filter.run ?? ''}
          onChange={({ target }) => onFilter({ ...filter, run: numberOrNull(target.value) })}
        >
          <option value="">All handoffs</option>
          {runs.map((run) => (
            <option key={run.id} value={run.id}>
              Handoff {run.id} · agent {run.agent_id} · {runStatus(run).words}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
