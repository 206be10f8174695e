import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Agent } from '../../../contract/resources.ts';
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
import { HandoffsThere, ListStatus } from './lists-of-machine.tsx';
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
        <Empty title="The other pages show this machine">See Agents, Inbox, Handoffs and Packages.</Empty>
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
  const list = useQuery(inboxQuery);
  const { data: items = [] } = list;
  return (
    <Section title="Needs you">
      <ListStatus list={list} loading="Loading inbox" empty="Nothing needs you there." />
      {items.length > 0 && (
        <Tiles label="Items that need you" items={items} keyOf={({ id }) => id} minWidth={30}>
          {(item) => <InboxEntry item={item} folded />}
        </Tiles>
      )}
    </Section>
  );
}

const NO_AGENTS: readonly Agent[] = [];

function Agents() {
  const list = useQuery(agentsQuery);
  const live = list.data?.filter(isLive);
  const context = useListContext(live ?? NO_AGENTS);
  return (
    <Section title="Agents">
      <ListStatus list={{ ...list, data: live }} loading="Loading agents" empty="No agent runs there." />
      {live !== undefined && live.length > 0 && <AgentCards agents={live} context={context} />}
    </Section>
  );
}

function Packages() {
  const list = useQuery(openPackagesQuery);
  const { data: packages = [] } = list;
  return (
    <Section title="Open packages">
      <ListStatus list={list} loading="Loading packages" empty="No open packages." />
      {packages.length > 0 && (
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
