import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Agent, Run } from '../../../contract/resources.ts';
import { HandoffButton } from '../agents/agent-card.tsx';
import { AgentMenu } from '../agents/agent-menu.tsx';
import { AnswerQuestion } from '../agents/answer-question.tsx';
import { ContextBar } from '../agents/context-bar.tsx';
import { isLive, runToShow } from '../agents/hand-off.ts';
import { SendMessage } from '../agents/send-message.tsx';
import { StateBadge } from '../agents/state-badge.tsx';
import { agentQuery, runsQuery } from '../api/queries.ts';
import { RunStrip } from '../handoffs/run-strip.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { PageTitle, Panel, Section } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Ago, At } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { AgentEnvironment } from './agent-environment.tsx';
import { Terminal } from './terminal.tsx';
import { Why } from './why.tsx';

/** One agent in full: its terminal, a form for messages, and the reasons for its state. */
export function AgentPage() {
  const { id } = useParams({ from: '/agents/$id' });
  const { data: agent, error, isPending } = useQuery(agentQuery(id));
  if (isPending) return <Loading what="Loading agent" />;
  if (agent === undefined) return <Trouble error={error} />;
  // Each agent has its own state, because a draft for one agent must not appear under another's name.
  return <WholeAgent key={agent.id} agent={agent} />;
}

function WholeAgent({ agent }: { readonly agent: Agent }) {
  const { data: runs = [] } = useQuery(runsQuery);
  const run = runToShow(agent, runs);
  return (
    <>
      <PageTitle title={`${visible(agent.label)} · agent ${agent.id}`} note={<Subtitle agent={agent} />}>
        <HandoffButton agent={agent} />
        <AgentMenu agent={agent} />
      </PageTitle>
      <Standing agent={agent} run={run} />
      <Section title="Terminal">
        {isLive(agent) ? (
          <Terminal agentId={agent.id} label={agent.label} />
        ) : (
          <p className="text-muted">
            {agent.state === 'lost' ? 'This agent was lost with its terminal.' : 'This agent has ended.'}
          </p>
        )}
        {isLive(agent) && <div className="mt-4">{talk(agent, run !== undefined && !run.over)}</div>}
      </Section>
      <div className="grid items-start gap-x-8 md:grid-cols-2">
        <div className="mb-6 min-w-0">
          <Facts agent={agent} />
          <AgentEnvironment agentId={agent.id} />
        </div>
        <Why agentId={agent.id} state={agent.state} />
      </div>
    </>
  );
}

/** The agent's state, above the terminal, which needs the whole width for its columns. */
const Standing = ({ agent, run }: { readonly agent: Agent; readonly run: Run | undefined }) => (
  <Panel className="mb-6 grid items-start gap-x-8 gap-y-3 p-4 md:grid-cols-2">
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <StateBadge state={agent.state} />
      <p className="min-w-0 text-sm wrap-anywhere text-muted">{visible(agent.state_reason)}</p>
    </div>
    <div>
      <ContextBar agent={agent} />
      {agent.handoff_offer.why_not !== null && (
        <p className="mt-1.5 text-sm text-muted">{agent.handoff_offer.why_not}</p>
      )}
    </div>
    {run !== undefined && (
      <div className="md:col-span-full">
        <RunStrip run={run} />
      </div>
    )}
  </Panel>
);

function talk(agent: Agent, isInRun: boolean) {
  if (agent.state === 'awaiting_input') return <AnswerQuestion agent={agent} />;
  if (isInRun)
    return <p className="text-sm text-muted">You cannot send messages while this agent is being handed over.</p>;
  return <SendMessage agent={agent} rows={3} />;
}

const Subtitle = ({ agent }: { readonly agent: Agent }) => (
  <>
    {agent.persona === null ? (
      'No persona'
    ) : (
      <Link to="/personas/$slug" params={{ slug: agent.persona.slug }} className="underline">
        {visible(agent.persona.role)}
      </Link>
    )}
    {' · '}
    {agent.runtime} · {visible(agent.project.name)}
  </>
);

function Facts({ agent }: { readonly agent: Agent }) {
  return (
    <dl className="mb-6 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm [&_dt]:text-muted">
      <dt>Started</dt>
      <dd>
        <At at={agent.started_at} />
      </dd>
      <dt>Last active</dt>
      <dd>
        <Ago at={agent.last_seen_at} />
      </dd>
      {agent.ended_at !== null && (
        <>
          <dt>Ended</dt>
          <dd>
            <At at={agent.ended_at} />
          </dd>
        </>
      )}
      {agent.previous_agent_id !== null && (
        <>
          <dt>Continues</dt>
          <dd>
            <Link to="/agents/$id" params={{ id: agent.previous_agent_id }} className="text-accent underline">
              agent {agent.previous_agent_id}
            </Link>
            {agent.persona !== null && (
              <>
                {' · '}
                <Link
                  to="/personas/$slug/lineage"
                  params={{ slug: agent.persona.slug }}
                  className="text-accent underline"
                >
                  lineage
                </Link>
              </>
            )}
          </dd>
        </>
      )}
      <dt>Skill</dt>
      <dd>{agent.skill_injected_at === null ? 'not loaded yet' : <Ago at={agent.skill_injected_at} />}</dd>
      <dt>Folder</dt>
      <dd className="font-mono text-xs break-all">{visible(agent.folder)}</dd>
      {agent.worktree !== null && (
        <>
          <dt>Worktree</dt>
          <dd className="font-mono text-xs break-all">
            <Link to="/worktrees" className="text-accent underline">
              {visible(agent.worktree.branch)}
            </Link>
          </dd>
        </>
      )}
      {agent.resumed_as !== null && (
        <>
          <dt>Resumed as</dt>
          <dd>
            <Link to="/agents/$id" params={{ id: agent.resumed_as }} className="text-accent underline">
              agent {agent.resumed_as}
            </Link>
          </dd>
        </>
      )}
      <dt>Session</dt>
      <dd className="font-mono text-xs break-all">{agent.session_uuid}</dd>
      {isLive(agent) && (
        <>
          <dt>Attach</dt>
          <dd className="flex items-start gap-1">
            <code className="min-w-0 font-mono text-xs break-all">{agent.attach_command}</code>
            <CopyButton text={agent.attach_command} what="attach command" />
          </dd>
        </>
      )}
    </dl>
  );
}
