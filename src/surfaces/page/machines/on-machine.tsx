import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { machinesQuery } from '../api/fleet-queries.ts';
import { clientOf, useMachine } from '../api/machine-clients.ts';
import { Badge } from '../parts/badge.tsx';
import { Panel } from '../parts/panel.tsx';
import { AsOf, HeardContext, useHeard } from './heard.tsx';

/** Renders a part of the page whose queries and buttons send their requests to another machine. */
export function OnMachine({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const { data } = useQuery(machinesQuery);
  const machine = data?.machines.find((each) => each.name === name);
  const isLive = machine?.live ?? false;
  // Round the time of the last report to seconds. A smaller change of this time must not make the browser draw all
  // cards of the machine again.
  const seconds = machine?.last_heard_at ? Math.round(Date.parse(machine.last_heard_at) / 1_000) : null;
  const heard = useMemo(
    () => ({ isLive, at: seconds === null ? null : new Date(seconds * 1_000).toISOString() }),
    [isLive, seconds],
  );
  return (
    <HeardContext value={heard}>
      <QueryClientProvider client={clientOf(name)}>{children}</QueryClientProvider>
    </HeardContext>
  );
}

/** The note above a page about another machine: the machine, its state, and the age of what the page shows. */
export function MachineNote() {
  const machine = useMachine();
  const heard = useHeard();
  if (machine === null || heard === null) return null;
  return (
    <Panel className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-sm">
      <span>
        On the machine{' '}
        <Link to="/machines/$name" params={{ name: machine }} className="font-semibold text-accent underline">
          {machine}
        </Link>
      </span>
      {heard.isLive ? <Badge tone="green">Up</Badge> : <Badge tone="grey">Not live</Badge>}
      <span className="text-muted">
        {heard.isLive ? 'Last report ' : 'Last known state '}
        <AsOf heard={heard} />
      </span>
    </Panel>
  );
}
