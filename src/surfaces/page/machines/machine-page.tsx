import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isLive } from '../agents/hand-off.ts';
import { AgentCards } from '../agents/list/agent-cards.tsx';
import { useListContext } from '../agents/list/use-list-context.ts';
import { machinesQuery } from '../api/fleet-queries.ts';
import { openPackagesQuery } from '../api/package-queries.ts';
import { agentsQuery, inboxQuery } from '../api/queries.ts';
import { InboxEntry } from '../inbox/inbox-entry.tsx';
import { PackageRow } from '../packages/package-row.tsx';
import { Tiles } from '../parts/lists/tiles.tsx';
import { Empty, PageTitle, Panel, Section } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { HandoffsThere } from './lists-of-machine.tsx';
import { MachineTable } from './machine-table.tsx';
import { OnMachine } from './on-machine.tsx';

const BACK = { to: '/machines', title: 'Machines' };

/**
 * Everything that is known about one other machine: its agents, handoffs and packages, and what needs the operator on
 * that machine.
 */
export function MachinePage() {
  const { name } = useParams({ from: '/machines/$name' });
  const { data, error } = useQuery(machinesQuery);
  const machine = data?.machines.find((each) => each.name === name);
  return (
    <>
      <PageTitle title={name} back={BACK} />
      <Trouble error={error} />
      {data === undefined && error === null && <Loading what="Loading machine" />}
      {data !== undefined && machine === undefined && (
        <Empty title="The fleet has no such machine">It may have left the fleet or been removed from it.</Empty>
      )}
      {machine !== undefined && (
        <div className="mb-8">
          <MachineTable machines={[machine]} all={data?.machines ?? []} />
        </div>
      )}
      {machine?.is_self && (
        <Empty title="This is the machine of this page">See Agents, Inbox, Handoffs and Packages.</Empty>
      )}
      {machine !== undefined && !machine.is_self && (
        <OnMachine name={name}>
          <Needs />
          <Agents />
          <HandoffsThere />
          <Packages />
        </OnMachine>
      )}
    </>
  );
}

function Needs() {
  const { data: items = [], error } = useQuery(inboxQuery);
  return (
    <Section title="Needs you">
      <Trouble error={error} />
      {items.length === 0 ? (
        <p className="text-muted">Nothing needs you there.</p>
      ) : (
        <Tiles label="Items that need you" items={items} keyOf={({ id }) => id} minWidth={30}>
          {(item) => <InboxEntry item={item} folded />}
        </Tiles>
      )}
    </Section>
  );
}

function Agents() {
  const { data = [], error } = useQuery(agentsQuery);
  const live = data.filter(isLive);
  const context = useListContext(live);
  return (
    <Section title="Agents">
      <Trouble error={error} />
      {live.length === 0 ? (
        <p className="text-muted">No agent runs there.</p>
      ) : (
        <AgentCards agents={live} context={context} />
      )}
    </Section>
  );
}

function Packages() {
  const { data: packages = [], error } = useQuery(openPackagesQuery);
  return (
    <Section title="Open packages">
      <Trouble error={error} />
      {packages.length === 0 ? (
        <p className="text-muted">No open packages.</p>
      ) : (
        <Panel>
          <ul aria-label="Open packages" className="divide-y divide-line">
            {packages.map((row) => (
              <PackageRow key={row.id} row={row} />
            ))}
          </ul>
        </Panel>
      )}
    </Section>
  );
}
