import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useAgentsNamed } from '../api/agents-named.ts';
import { knownPackagesQuery } from '../api/package-queries.ts';
import { runsQuery } from '../api/queries.ts';
import { RunRow } from '../handoffs/run-row.tsx';
import { PackageRow } from '../packages/package-row.tsx';
import { Panel, Section } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { MachineNote, OnMachine } from './on-machine.tsx';

/**
 * The last known handoffs or packages of another machine. A note above the list names the machine and says how old the
 * list is.
 */
export default function ListOfMachine({
  machine,
  list,
}: {
  readonly machine: string;
  readonly list: 'handoffs' | 'packages';
}) {
  return (
    <OnMachine key={machine} name={machine}>
      <MachineNote />
      {list === 'handoffs' ? <HandoffsThere /> : <PackagesThere />}
      <p className="text-sm text-muted">
        {machine} sends all {list} that have not ended, and its 50 newest {list}. Baton on {machine} has the older ones.
      </p>
    </OnMachine>
  );
}

/**
 * Says that a list of another machine is loading, could not be fetched, or is empty. If the list could not be fetched,
 * the page does not call it empty, because its content is unknown.
 */
export const ListStatus = ({
  list: { data, error, isPending },
  loading,
  empty,
}: {
  readonly list: Pick<UseQueryResult<readonly unknown[]>, 'data' | 'error' | 'isPending'>;
  readonly loading: string;
  readonly empty: string;
}) => (
  <>
    <Trouble error={error} />
    {isPending && <Loading what={loading} />}
    {data?.length === 0 && <p className="text-muted">{empty}</p>}
  </>
);

export function HandoffsThere() {
  const list = useQuery(runsQuery);
  const { data: runs = [] } = list;
  const agents = useAgentsNamed(runs.map(({ agent_id }) => agent_id));
  return (
    <Section title="Handoffs">
      <ListStatus list={list} loading="Loading handoffs" empty="No handoffs yet." />
      {runs.length > 0 && (
        <Panel>
          <ul aria-label="Handoffs" className="divide-y divide-line">
            {runs.map((run) => (
              <RunRow key={run.id} run={run} agent={agents.get(run.agent_id)} />
            ))}
          </ul>
        </Panel>
      )}
    </Section>
  );
}

function PackagesThere() {
  const list = useQuery(knownPackagesQuery);
  const { data: rows = [] } = list;
  return (
    <Section title="Packages">
      <ListStatus list={list} loading="Loading packages" empty="No packages yet." />
      {rows.length > 0 && (
        <Panel>
          <ul aria-label="Packages" className="divide-y divide-line">
            {rows.map((row) => (
              <PackageRow key={row.id} row={row} />
            ))}
          </ul>
        </Panel>
      )}
    </Section>
  );
}
