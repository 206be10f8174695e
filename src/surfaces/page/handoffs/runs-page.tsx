import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Run } from '../../../contract/resources.ts';
import { useAgentsNamed } from '../api/agents-named.ts';
import { useIsInFleet } from '../api/fleet-queries.ts';
import { runListQuery, runsInFlightQuery } from '../api/queries.ts';
import { classes } from '../parts/class-names.ts';
import { ShowOlder, useOlder } from '../parts/lists/show-older.tsx';
import { Column, Empty, PageTitle, Panel } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { inFlightFirst, RUN_FILTERS, type RunFilter } from './choose-runs.ts';
import { RunRow } from './run-row.tsx';

const FILTER_WORDS: Readonly<Record<RunFilter, string>> = {
  all: 'All',
  in_flight: 'In progress',
  failed: 'Failed',
  completed: 'Completed',
  cancelled: 'Canceled',
};

const NOTHING: Readonly<Record<RunFilter, string>> = {
  all: 'No handoffs yet',
  in_flight: 'No handoffs in progress',
  failed: 'No failed handoffs',
  completed: 'No completed handoffs yet',
  cancelled: 'No canceled handoffs',
};

/** The parts of the page for other machines. They are loaded only if this Baton is in a fleet. */
const MachineFilter = lazy(async () => ({ default: (await import('../machines/machine-filter.tsx')).MachineFilter }));
const ListOfMachine = lazy(() => import('../machines/lists-of-machine.tsx'));

/** The handoffs of this machine or, in a fleet, of the machine that the operator chooses. */
export function RunsPage() {
  const { machine } = useSearch({ from: '/runs' });
  const isInFleet = useIsInFleet();
  return (
    <Column>
      <PageTitle title="Handoffs" note="A handoff passes an agent's knowledge to its successor.">
        {isInFleet && (
          <Suspense>
            <MachineFilter page="/runs" machine={machine} />
          </Suspense>
        )}
      </PageTitle>
      {isInFleet && machine !== undefined ? (
        <Suspense fallback={<Loading />}>
          <ListOfMachine machine={machine} list="handoffs" />
        </Suspense>
      ) : (
        <OwnRuns />
      )}
    </Column>
  );
}

/** The handoffs of this machine: those in flight first, then the newest. */
function OwnRuns() {
  const [filter, setFilter] = useState<RunFilter>('all');
  const inFlight = useQuery(runsInFlightQuery);
  const found = useInfiniteQuery(runListQuery(filter));
  const older = useOlder(found, filter);
  const rows = found.data?.pages.flatMap(({ runs }) => runs);
  return (
    <>
      <Filters chosen={filter} onChoose={setFilter} />
      <Trouble error={found.error ?? inFlight.error} />
      {rows === undefined && found.error === null && <Loading />}
      {rows !== undefined && (
        <RunList runs={filter === 'all' ? inFlightFirst(inFlight.data ?? [], rows) : rows} filter={filter} />
      )}
      <ShowOlder older={older} rows="handoffs" />
    </>
  );
}

function Filters({ chosen, onChoose }: { readonly chosen: RunFilter; readonly onChoose: (filter: RunFilter) => void }) {
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
            'min-h-[44px] rounded-full md:min-h-8 border px-3 text-sm',
            filter === chosen
              ? 'border-accent bg-accent-soft font-semibold text-accent'
              : 'border-line-strong text-muted hover:bg-panel hover:text-ink',
          )}
        >
          {FILTER_WORDS[filter]}
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
      <ul aria-label="Handoffs" className="divide-y divide-line">
        {runs.map((run) => (
          <RunRow key={run.id} run={run} agent={agents.get(run.agent_id)} />
        ))}
      </ul>
    </Panel>
  );
}
