import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Agent, Run } from '../../../contract/resources.ts';
import { openPackagesQuery } from '../api/package-queries.ts';
import { agentsQuery, inboxQuery, personasQuery, projectsQuery, runsQuery } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { classes } from '../parts/class-names.ts';
import { useDialogHost } from '../parts/dialogs/dialog-host.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { PageTitle, Section } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { AgentCard } from './agent-card.tsx';
import { byProject } from './by-project.ts';
import { DefaultPersonaDialog } from './dialogs/default-persona-dialog.tsx';
import { StartAgentDialog } from './dialogs/start-agent-dialog.tsx';
import { OwnSessions } from './external-sessions.tsx';
import { FirstRun } from './first-run.tsx';
import { isLive, runToShow } from './hand-off.ts';
import { packagesWaiting } from './packages-waiting.ts';

export function AgentsPage() {
  const agents = useQuery(agentsQuery);
  const { data: runs = [] } = useQuery(runsQuery);
  const { data: packages = [] } = useQuery(openPackagesQuery);
  const waiting = packagesWaiting(packages);
  const [isStarting, setStarting] = useState(false);
  const all = agents.data ?? [];
  const live = all.filter(isLive);
  const gone = all.filter((agent) => !isLive(agent));
  return (
    <>
      <PageTitle title="Agents" note={live.length === 0 ? undefined : `${live.length} live`}>
        <Link
          to="/worktrees"
          className="inline-flex min-h-10 items-center rounded-lg px-3 text-muted hover:bg-sunken hover:text-ink"
        >
          Worktrees
        </Link>
        <Button onClick={() => setStarting(true)}>Start agent</Button>
      </PageTitle>
      <NeedsYou keepsItsPlace={live.length > 0} />
      <Trouble error={agents.error} />
      {agents.isPending && <Loading what="Loading agents" />}
      {agents.isSuccess && live.length === 0 && <FirstRun onStart={() => setStarting(true)} />}
      {byProject(live).map(({ project, agents: its }) => (
        <Section
          key={project.id}
          title={visible(project.name)}
          aside={<ProjectAside id={project.id} path={project.path} />}
        >
          <Cards agents={its} runs={runs} waiting={waiting} />
        </Section>
      ))}
      <OwnSessions />
      {gone.length > 0 && (
        <Section title="Recently ended">
          <Cards agents={gone.slice(-12).reverse()} runs={runs} waiting={() => 0} />
        </Section>
      )}
      {isStarting && <StartAgentDialog onClose={() => setStarting(false)} />}
    </>
  );
}

function ProjectAside({ id, path }: { readonly id: number; readonly path: string }) {
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: personas = [] } = useQuery(personasQuery);
  const open = useDialogHost();
  const project = projects.find((each) => each.id === id);
  const persona = personas.find(({ slug }) => slug === project?.default_persona);
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
      {project !== undefined && (
        <button
          type="button"
          className="text-xs text-muted underline decoration-dotted hover:text-ink"
          onClick={() => open((close) => <DefaultPersonaDialog project={project} onClose={close} />)}
        >
          Default persona: {persona === undefined ? 'none' : visible(persona.name)}
        </button>
      )}
      <span className="truncate font-mono text-xs text-muted">{visible(path)}</span>
    </span>
  );
}

const Cards = ({
  agents,
  runs,
  waiting,
}: {
  readonly agents: readonly Agent[];
  readonly runs: readonly Run[];
  readonly waiting: (agent: Agent) => number;
}) => (
  <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-4">
    {agents.map((agent) => (
      <li key={agent.id}>
        <AgentCard agent={agent} run={runToShow(agent, runs)} packages={waiting(agent)} />
      </li>
    ))}
  </ul>
);

/** Shows the first inbox item. Has the same height without an item, so that the buttons below do not move. */
function NeedsYou({ keepsItsPlace }: { readonly keepsItsPlace: boolean }) {
  const { data: items = [] } = useQuery(inboxQuery);
  // Items that wait for a person come before notices.
  const first = items.find(({ kind }) => kind !== 'notice') ?? items[0];
  if (first === undefined && !keepsItsPlace) return null;
  return (
    <div
      className={classes(
        'mb-6 flex min-h-[calc(2lh+1.5rem)] items-center gap-x-4 rounded-lg border px-4 md:min-h-[calc(1lh+1.5rem)]',
        first === undefined ? 'border-line text-muted' : 'border-amber/50 bg-amber-soft text-amber',
      )}
    >
      <p
        className="line-clamp-2 min-w-0 flex-1 wrap-anywhere md:line-clamp-1 md:break-all"
        title={first && visible(first.sentence)}
      >
        {first === undefined ? 'Nothing needs you.' : visible(first.sentence)}
      </p>
      {first !== undefined && (
        <Link to="/inbox" className="shrink-0 font-medium text-accent underline max-md:max-w-24 max-md:text-right">
          {items.length === 1 ? 'Open inbox' : `Open inbox (${items.length})`}
        </Link>
      )}
    </div>
  );
}
