import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { Agent, InboxItem } from '../../../contract/resources.ts';
import { useIsInFleet } from '../api/fleet-queries.ts';
import { agentsQuery, inboxQuery, personasQuery, projectsQuery } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { classes } from '../parts/class-names.ts';
import { useDialogHost } from '../parts/dialogs/dialog-host.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Empty, PageTitle, Section } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { OwnSessions } from './external-sessions.tsx';
import { FirstRun } from './first-run.tsx';
import { isLive } from './hand-off.ts';
import { AgentCards, type ListContext } from './list/agent-cards.tsx';
import { type AgentGroup, ALL_AGENTS, arranged, isFiltered, isShown, type LiveFilter } from './list/arrange-agents.ts';
import { ListControls } from './list/list-controls.tsx';
import { type ListLook, useListLook } from './list/list-look.ts';
import { useListContext } from './list/use-list-context.ts';
import { useSteady } from './list/use-steady.ts';
import { needsList } from './needs/needs-list.ts';
import { NeedsYou } from './needs/needs-you.tsx';

/** Parts of the page that most visits do not need. Each part is loaded when it is first shown. */
const AgentTable = lazy(async () => ({ default: (await import('./list/agent-table.tsx')).AgentTable }));
const EndedAgents = lazy(async () => ({ default: (await import('./list/ended-agents.tsx')).EndedAgents }));
const StartAgentDialog = lazy(async () => ({
  default: (await import('./dialogs/start-agent-dialog.tsx')).StartAgentDialog,
}));
const DefaultPersonaDialog = lazy(async () => ({
  default: (await import('./dialogs/default-persona-dialog.tsx')).DefaultPersonaDialog,
}));

/** The parts of the page for other machines. They are loaded only if this Baton is in a fleet. */
const OtherMachines = lazy(async () => ({ default: (await import('../machines/other-machines.tsx')).OtherMachines }));
const MachineFilter = lazy(async () => ({ default: (await import('../machines/machine-filter.tsx')).MachineFilter }));

/** The agents page: first the agents that need the operator, then the other live agents. Ended agents are in a tab. */
export function AgentsPage() {
  const agents = useQuery(agentsQuery);
  const { tab, machine } = useSearch({ from: '/' });
  const isInFleet = useIsInFleet();
  // True if the page shows the agents of this machine. A filter for another machine hides them.
  const isHere = !isInFleet || machine === undefined;
  const open = useDialogHost();
  const start = (): void => open((close) => <StartAgentDialog onClose={close} />);
  const live = useMemo(() => (agents.data ?? []).filter(isLive), [agents.data]);
  const [filter, setFilter] = useState(ALL_AGENTS);
  const [look, setLook] = useListLook();
  const isEnded = tab === 'ended';
  return (
    <>
      <PageTitle
        title="Agents"
        note={isEnded || live.length === 0 ? undefined : `${live.length} live${isInFleet ? ' on this machine' : ''}`}
      >
        {isInFleet && (
          <Suspense>
            <MachineFilter page="/" machine={machine} />
          </Suspense>
        )}
        <AgentTabs isEnded={isEnded} />
        <Button onClick={start}>Start agent</Button>
      </PageTitle>
      <Trouble error={agents.error} />
      {agents.isPending && <Loading what="Loading agents" />}
      {isEnded && (
        <>
          <ListControls filter={filter} onFilter={setFilter} look={look} onLook={setLook} hasStates={false} />
          <Suspense fallback={<Loading what="Loading ended agents" />}>
            <EndedAgents filter={filter} />
          </Suspense>
        </>
      )}
      {!isEnded && isHere && agents.isSuccess && (
        <LiveAgents live={live} onStart={start} filter={filter} onFilter={setFilter} look={look} onLook={setLook} />
      )}
      {!isEnded && isHere && <OwnSessions />}
      {!isEnded && isInFleet && (
        <Suspense>
          <OtherMachines machine={machine} filter={filter} look={look} />
        </Suspense>
      )}
    </>
  );
}

const AgentTabs = ({ isEnded }: { readonly isEnded: boolean }) => (
  <nav aria-label="Agents" className="flex rounded-lg border border-line-strong p-0.5">
    {[false, true].map((ended) => (
      <Link
        key={String(ended)}
        to="/"
        search={ended ? { tab: 'ended' } : {}}
        aria-current={ended === isEnded ? 'page' : undefined}
        className={classes(
          'inline-flex min-h-[44px] items-center rounded-md px-3 text-sm md:min-h-8',
          ended === isEnded ? 'bg-accent-soft font-semibold text-accent' : 'text-muted hover:text-ink',
        )}
      >
        {ended ? 'Ended' : 'Live'}
      </Link>
    ))}
  </nav>
);

interface LiveProps {
  readonly live: readonly Agent[];
  readonly onStart: () => void;
  readonly filter: LiveFilter;
  readonly onFilter: (filter: LiveFilter) => void;
  readonly look: ListLook;
  readonly onLook: (change: Partial<ListLook>) => void;
}

const NO_ITEMS: readonly InboxItem[] = [];

function LiveAgents({ live, onStart, filter, onFilter, look, onLook }: LiveProps) {
  const { data: items = NO_ITEMS } = useQuery(inboxQuery);
  const context = useListContext(live);
  const isInFleet = useIsInFleet();
  const shown = live.filter((agent) => isShown(agent, filter));
  const entries = needsList(shown, isFiltered(filter) ? NO_ITEMS.concat(itemsOf(items, shown)) : items);
  // Keep the order of the cards while the operator uses one of them. Still update the content of each card.
  const [places, hands] = useSteady(entries.map(({ key }) => key));
  const needing = inPlaces(entries, shown, places);
  const rest = shown.filter(({ id }) => !needing.some((entry) => 'agent' in entry && entry.agent.id === id));
  if (live.length === 0)
    return (
      <>
        {entries.length > 0 && <NeedsYou entries={entries} context={context} itemCount={items.length} />}
        {isInFleet ? <Empty title="No agents run on this machine" /> : <FirstRun onStart={onStart} />}
      </>
    );
  return (
    <div {...hands}>
      <NeedsYou entries={needing} context={context} itemCount={items.length} />
      {live.length > 1 && <ListControls filter={filter} onFilter={onFilter} look={look} onLook={onLook} hasStates />}
      {shown.length === 0 && <Empty title="No agents match">Change or clear the filters.</Empty>}
      {arranged(rest, look.sort, look.group).map((group) => (
        <Group key={group.key} group={group} look={look} context={context} />
      ))}
    </div>
  );
}

/** Returns the inbox items that are about one of the given agents. */
const itemsOf = (items: readonly InboxItem[], agents: readonly Agent[]): readonly InboxItem[] =>
  items.filter(({ agent_id }) => agents.some(({ id }) => id === agent_id));

/**
 * Returns the entries in the order of `places`. An agent that no longer needs the operator keeps its place until
 * `places` changes.
 */
function inPlaces(
  entries: ReturnType<typeof needsList>,
  agents: readonly Agent[],
  places: readonly string[],
): ReturnType<typeof needsList> {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const kept = new Map(agents.map((agent) => [`agent ${agent.id}`, { key: `agent ${agent.id}`, agent }]));
  return places.flatMap((key) => byKey.get(key) ?? kept.get(key) ?? []);
}

function Group({
  group: { title, agents },
  look: { view, group },
  context,
}: {
  readonly group: AgentGroup;
  readonly look: ListLook;
  readonly context: ListContext;
}) {
  const list =
    view === 'list' ? (
      <Suspense fallback={<Loading what="Loading list" />}>
        <AgentTable agents={agents} label={title === '' ? 'Agents' : `Agents: ${visible(title)}`} context={context} />
      </Suspense>
    ) : (
      <AgentCards agents={agents} context={context} />
    );
  if (title === '') return <div className="mb-8">{list}</div>;
  const project = group === 'project' ? agents[0]?.project : undefined;
  return (
    <Section title={visible(title)} aside={project && <ProjectAside id={project.id} path={project.path} />}>
      {list}
    </Section>
  );
}

function ProjectAside({ id, path }: { readonly id: number; readonly path: string }) {
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: personas = [] } = useQuery(personasQuery);
  const open = useDialogHost();
  const project = projects.find((each) => each.id === id);
  const persona = personas.find(({ slug }) => slug === project?.default_persona);
  const name = persona === undefined ? 'none' : visible(persona.name);
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
      {project !== undefined && (
        <button
          type="button"
          className="min-h-[44px] text-xs text-muted underline decoration-dotted hover:text-ink md:min-h-6"
          aria-label={`Default persona: ${name}, project ${visible(project.name)}`}
          onClick={() => open((close) => <DefaultPersonaDialog project={project} onClose={close} />)}
        >
          Default persona: {name}
        </button>
      )}
      <span className="truncate font-mono text-xs text-muted">{visible(path)}</span>
    </span>
  );
}
