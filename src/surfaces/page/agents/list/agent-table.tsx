import { memo } from 'react';
import type { Agent, Run } from '../../../../contract/resources.ts';
import { runStatus } from '../../../../contract/words/step-words.ts';
import { classes } from '../../parts/class-names.ts';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Panel } from '../../parts/panel.tsx';
import { Ago } from '../../parts/time.tsx';
import { ToAgent } from '../../parts/to.tsx';
import { HandoffButton, offersHandoff } from '../agent-card.tsx';
import { isLive, runToShow } from '../hand-off.ts';
import { AgentMenuButton } from '../menu/menu-button.tsx';
import { StateBadge } from '../state-badge.tsx';
import type { ListContext } from './agent-cards.tsx';

const HEADS = ['State', 'Agent', 'Project', 'Doing', 'Context', 'Active'] as const;

type Head = (typeof HEADS)[number];

/** The columns that have another name in the list of ended agents, because an ended agent does nothing now. */
const ENDED_HEADS: Readonly<Partial<Record<Head, string>>> = { Doing: 'Last prompt', Active: 'Ended' };

/** The dense list: one line per agent. */
export const AgentTable = ({
  agents,
  label,
  areEnded = false,
  context: { runs, waiting },
}: {
  readonly agents: readonly Agent[];
  readonly label: string;
  readonly areEnded?: boolean;
  readonly context: Pick<ListContext, 'runs' | 'waiting'>;
}) => (
  <Panel className="relative overflow-x-auto">
    <table aria-label={label} className="w-full table-fixed text-sm lg:min-w-4xl">
      <thead className="border-b border-line text-left text-muted">
        <tr className="[&_th]:px-3 [&_th]:py-2 [&_th]:font-medium">
          {HEADS.map((head) => (
            <th key={head} scope="col" className={areEnded && head === 'State' ? 'w-24 lg:w-36' : LOOK[head]}>
              {areEnded ? (ENDED_HEADS[head] ?? head) : head}
            </th>
          ))}
          <th scope="col" className={classes('w-16', agents.some(offersHandoff) && 'lg:w-36')}>
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line/60">
        {agents.map((agent) => (
          <AgentLine key={agent.id} agent={agent} run={runToShow(agent, runs)} packages={waiting(agent)} />
        ))}
      </tbody>
    </table>
  </Panel>
);

/** A narrow page shows project and activity below the name of the agent, so that no line scrolls sideways. */
const WIDE_ONLY = 'max-lg:hidden';

const LOOK: Readonly<Record<Head, string>> = {
  State: 'w-32 lg:w-36',
  Agent: 'lg:w-72 2xl:w-96',
  Project: `w-36 2xl:w-56 ${WIDE_ONLY}`,
  Doing: WIDE_ONLY,
  Context: `w-20 text-right ${WIDE_ONLY}`,
  Active: `w-28 ${WIDE_ONLY}`,
};

const AgentLine = memo(function AgentLine({
  agent,
  run,
  packages,
}: {
  readonly agent: Agent;
  readonly run: Run | undefined;
  readonly packages: number;
}) {
  const { id, label, persona, project, context, last_seen_at, ended_at } = agent;
  const doing = doingOf(agent, run, packages);
  return (
    <tr data-item="" tabIndex={-1} className="[&_td]:px-3 [&_td]:py-1.5 focus-visible:-outline-offset-2">
      <td>
        <StateBadge agent={agent} run={run} />
      </td>
      <td title={visible(persona === null ? label : `${label} · ${persona.role}`)}>
        {/* The name gives way to the number, because the number tells two agents with long names apart. */}
        <span className="flex min-w-0 gap-1">
          <ToAgent id={id} data-open="" className="truncate font-semibold hover:underline">
            {visible(label)}
          </ToAgent>{' '}
          <span className="shrink-0 text-muted">· agent {id}</span>{' '}
          {persona !== null && (
            <span className={classes('shrink-[9] truncate text-muted', WIDE_ONLY)}>· {visible(persona.role)}</span>
          )}
        </span>
        <span className="line-clamp-2 wrap-anywhere whitespace-normal text-muted lg:hidden">
          {ended_at === null && 'Active '}
          <Ago at={ended_at ?? last_seen_at} />
          {' · '}
          {context !== null && `${Math.round(context.used_percent)} % context · `}
          {visible(doing === NOTHING ? project.name : `${project.name} · ${doing}`)}
        </span>
      </td>
      <td className={classes('truncate', WIDE_ONLY)} title={visible(project.name)}>
        {visible(project.name)}
      </td>
      <td className={classes('truncate text-muted', WIDE_ONLY)} title={visible(doing)}>
        {visible(doing)}
      </td>
      <td className={classes('text-right tabular-nums', WIDE_ONLY)}>
        {context === null ? '–' : `${Math.round(context.used_percent)} %`}
      </td>
      <td className={classes('truncate text-muted', WIDE_ONLY)}>
        <Ago at={ended_at ?? last_seen_at} />
      </td>
      <td>
        <span className="flex items-center justify-end gap-1">
          <span className="max-lg:hidden">{isLive(agent) && <HandoffButton agent={agent} small />}</span>
          <AgentMenuButton agent={agent} />
        </span>
      </td>
    </tr>
  );
});

/** The text in the column Doing for an ended agent without an activity. A narrow page does not show this text. */
const NOTHING = '–';

/**
 * Describes an agent in one line. The first of these that exists is shown: what the agent needs from the operator, its
 * handoff, its activity, or the reason for its state.
 */
function doingOf({ needs, activity, state, state_reason }: Agent, run: Run | undefined, packages: number): string {
  const waiting = packages === 0 ? '' : ` · ${packages === 1 ? '1 package waiting' : `${packages} packages waiting`}`;
  if (needs && needs.severity !== 'notice') return `${needs.sentence}${waiting}`;
  const last = activity !== null && isLive({ state }) && state !== 'working' ? `Last prompt: ${activity}` : activity;
  // For an ended agent, show a dash instead of the reason, because the badge already says that the agent has ended.
  const idle = state === 'ended' ? NOTHING : state_reason;
  return `${run === undefined ? (last ?? idle) : `Handoff ${run.id}: ${runStatus(run).words}`}${waiting}`;
}
