import { useQuery } from '@tanstack/react-query';
import type { FleetStatus } from '../../../contract/fleet.ts';
import { machinesQuery } from '../api/fleet-queries.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { Empty, PageTitle, Panel } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { MachineTable } from './machine-table.tsx';
import { byNeed, counted } from './machine-words.ts';

/**
 * All machines of the fleet: which machines are up, how old the data about each machine is, and where something needs
 * the operator.
 */
export function MachinesPage() {
  const { data, error, isPending } = useQuery(machinesQuery);
  const machines = data?.machines ?? [];
  const up = machines.filter(({ live }) => live).length;
  return (
    <>
      <PageTitle
        title="Machines"
        note={machines.length === 0 ? undefined : `${up} of ${counted(machines.length, 'machine')} up`}
      />
      <Trouble error={error} />
      {isPending && <Loading what="Loading machines" />}
      {data !== undefined && !data.fleet.joined && (
        <Empty title="This Baton is in no fleet">
          To show several machines on one page, run <code className="font-mono">baton fleet hub NAME</code> on one
          machine and <code className="font-mono">baton fleet join CODE</code> on the others.
        </Empty>
      )}
      {data?.fleet.joined && (
        <>
          <Connection fleet={data.fleet} />
          <MachineTable machines={machines.toSorted(byNeed)} all={machines} />
        </>
      )}
    </>
  );
}

/** The connection of this machine to the hub, and the reason if this machine does not report. */
function Connection({ fleet }: { readonly fleet: FleetStatus }) {
  const { problem, address, connected, is_hub, role, takes_commands, encrypted } = fleet;
  const waiting = fleet.forwarded === null ? null : fleet.log_end - fleet.forwarded;
  return (
    <Panel className="mb-6 p-4 text-sm">
      <section aria-label="Connection to the hub">
        {problem === null ? (
          <p>
            {connected ? 'Connected' : 'Connecting'} to the hub {is_hub ? 'on this machine' : ''} at{' '}
            <span className="font-mono">{address}</span>
            {encrypted ? ', with TLS' : ''}.
          </p>
        ) : (
          <p role="alert" className="wrap-anywhere text-amber">
            {visible(`${problem.sentence}${/[.!?]$/.test(problem.sentence) ? '' : '.'} ${problem.hint}`)}
          </p>
        )}
        <p className="mt-1 text-muted">
          {role === 'viewer'
            ? 'This machine may see the other machines, but not send commands to them.'
            : 'This machine may send commands to the other machines.'}{' '}
          {takes_commands
            ? 'This machine takes commands from the other machines.'
            : 'This machine takes no commands from the other machines.'}
          {waiting !== null && waiting > 0 && ` ${counted(waiting, 'event')} not sent to the hub yet.`}
        </p>
      </section>
    </Panel>
  );
}
