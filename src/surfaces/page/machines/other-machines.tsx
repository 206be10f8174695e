import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Machine } from '../../../contract/fleet.ts';
import { isLive } from '../agents/hand-off.ts';
import { AgentCards } from '../agents/list/agent-cards.tsx';
import { AgentTable } from '../agents/list/agent-table.tsx';
import { arranged, isFiltered, isShown, type LiveFilter } from '../agents/list/arrange-agents.ts';
import type { ListLook } from '../agents/list/list-look.ts';
import { useListContext } from '../agents/list/use-list-context.ts';
import { machinesQuery } from '../api/fleet-queries.ts';
import { agentsQuery } from '../api/queries.ts';
import { Badge } from '../parts/badge.tsx';
import { Section } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { AsOf, useHeard } from './heard.tsx';
import { byNeed, presenceInWords } from './machine-words.ts';
import { OnMachine } from './on-machine.tsx';

interface Props {
  /** The name of the only machine to show. If undefined, the page shows every machine with live agents, except this one. */
  readonly machine: string | undefined;
  readonly filter: LiveFilter;
  readonly look: ListLook;
}

/** The running agents of the other machines, one section for each machine. */
export function OtherMachines({ machine, filter, look }: Props) {
  const { data } = useQuery(machinesQuery);
  const shown = (data?.machines ?? []).filter(
    ({ name, is_self, live_agents }) => !is_self && (machine === undefined ? live_agents > 0 : name === machine),
  );
  return (
    <div className="mt-8">
      {shown.toSorted(byNeed).map((each) => (
        <OnMachine key={each.name} name={each.name}>
          <AgentsOf machine={each} filter={filter} look={look} />
        </OnMachine>
      ))}
    </div>
  );
}

function AgentsOf({ machine, filter, look }: Omit<Props, 'machine'> & { readonly machine: Machine }) {
  const { data, error, isPending } = useQuery(agentsQuery);
  const live = (data ?? []).filter(isLive);
  // Show no agents of another machine if a project is chosen as the filter, because the choice means a project of this
  // machine.
  const agents = filter.project === '' ? live.filter((agent) => isShown(agent, filter)) : [];
  const context = useListContext(live);
  if (agents.length === 0 && isFiltered(filter)) return null;
  return (
    <Section title={machine.name} aside={<Aside machine={machine} />}>
      <Trouble error={error} />
      {isPending && <Loading what={`Loading agents of ${machine.name}`} />}
      {data !== undefined && agents.length === 0 && <p className="text-muted">No agent runs there.</p>}
      {arranged(agents, look.sort, 'none').map(({ key, agents: sorted }) =>
        look.view === 'list' ? (
          <AgentTable key={key} agents={sorted} label={`Agents on ${machine.name}`} context={context} />
        ) : (
          <AgentCards key={key} agents={sorted} context={context} />
        ),
      )}
    </Section>
  );
}

/** The state of the machine and the age of its last report. */
function Aside({ machine: { name, presence, needs } }: { readonly machine: Machine }) {
  const heard = useHeard();
  const { tone, word } = presenceInWords(presence);
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      <Badge tone={tone}>{word}</Badge>
      {heard !== null && (
        <span>
          <AsOf heard={heard} />
        </span>
      )}
      {needs > 0 && (
        <Link to="/inbox" search={{ machine: name }} className="text-accent underline">
          Inbox of {name} ({needs})
        </Link>
      )}
      <Link to="/machines/$name" params={{ name }} className="text-accent underline">
        All about {name}
      </Link>
    </span>
  );
}
