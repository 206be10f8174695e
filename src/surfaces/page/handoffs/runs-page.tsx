import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Run } from '../../../contract/resources.ts';
import { useAgentsNamed } from '../api/agents-named.ts';
import { runsQuery } from '../api/queries.ts';
import { classes } from '../parts/class-names.ts';
import { Empty, PageTitle, Panel } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { chooseRuns, countOf, RUN_FILTERS, type RunFilter } from './choose-runs.ts';
import { RunRow } from './run-row.tsx';

const FILTER_WORDS: Readonly<Record<RunFilter, string>> = {
  all: 'All',
  in_flight: 'In progress',
  failed: 'Failed',
  completed: 'Completed',
};

const NOTHING: Readonly<Record<RunFilter, string>> = {
  all: 'No handoffs yet',
  in_flight: 'No handoffs in progress',
  failed: 'No failed handoffs',
  completed: 'No completed handoffs yet',
};

/** All handoffs: those in flight first, then the newest. */
export function RunsPage() {
  const { data: runs, error } = useQuery(runsQuery);
  const [filter, setFilter] = useState<RunFilter>('all');
  return (
    <>
      <PageTitle title="Handoffs" note="A handoff passes an agent's knowledge to its successor." />
      <Trouble error={error} />
      {runs === undefined && error === null && <Loading />}
      {runs !== undefined && (
        <>
          <Filters runs={runs} chosen={filter} onChoose={setFilter} />
          <RunList runs={chooseRuns(runs, filter)} filter={filter} />
        </>
      )}
    </>
  );
}

function Filters({
  runs,
  chosen,
  onChoose,
}: {
  readonly runs: readonly Run[];
  readonly chosen: RunFilter;
  readonly onChoose: (filter: RunFilter) => void;
}) {
  return (
    <fieldset className="mb-4 flex flex-wrap gap-1.5">
      <legend className="sr-only">Filter handoffs</legend>
      {RUN_FILTERS.map((filter) => (
        <button
          key={filter}
          type="button"
          aria-pressed={filter === chosen}
          onClick={() => onChoose(filter)}
          className={classes(
            'min-h-8 rounded-full border px-3 text-sm',
            filter === chosen
              ? 'border-accent bg-accent-soft font-semibold text-accent'
              : 'border-line-strong text-muted hover:bg-panel hover:text-ink',
          )}
        >
          {FILTER_WORDS[filter]} <span className="tabular-nums">{countOf(runs, filter)}</span>
        </button>
      ))}
    </fieldset>
  );
}

function RunList({ runs, filter }: { readonly runs: readonly Run[]; readonly filter: RunFilter }) {
  const agents = useAgentsNamed(runs.map((run) => run.agent_id));
  if (runs.length === 0)
    return (
      <Empty title={NOTHING[filter]}>
        {filter === 'all' && "When an agent's context fills up, its card on the Agents page shows a Handoff button."}
      </Empty>
    );
  return (
    <Panel>
      <ul className="divide-y divide-line">
        {runs.map((run) => (
          <RunRow key={run.id} run={run} agent={agents.get(run.agent_id)} />
        ))}
      </ul>
    </Panel>
  );
}
