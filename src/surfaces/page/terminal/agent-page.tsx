import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Agent, Run } from '../../../contract/resources.ts';
import { Activity, HandoffButton, StuckNote } from '../agents/agent-card.tsx';
import { AnswerQuestion } from '../agents/answer-question.tsx';
import { ContextBar } from '../agents/context-bar.tsx';
import { canRetry, isLive, runToShow } from '../agents/hand-off.ts';
import { AgentMenuButton } from '../agents/menu/menu-button.tsx';
import { DecisionNote } from '../agents/needs/decision-note.tsx';
import { SendMessage } from '../agents/send-message.tsx';
import { StateBadge, StateReason } from '../agents/state-badge.tsx';
import { Refused } from '../api/call.ts';
import { useMachine } from '../api/machine-clients.ts';
import { agentQuery, agentsQuery, runsQuery } from '../api/queries.ts';
import { AutoNote } from '../handoffs/policy/auto-note.tsx';
import { FROM_WORDS, policyInWords } from '../handoffs/policy/policy-words.ts';
import { RunStrip } from '../handoffs/run-strip.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dotted } from '../parts/lists/dotted.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { PageTitle, Panel, Section } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Ago, At } from '../parts/time.tsx';
import { ToAgent, ToPersona, ToRun, ToWorktrees } from '../parts/to.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Path } from '../parts/words/path.tsx';
import { AgentTokens } from '../usage/amounts.tsx';
import { AgentEnvironment } from './agent-environment.tsx';
import { Terminal, WrapButton, wrapsAtFirst } from './terminal.tsx';
import { Why } from './why.tsx';

/** The screen of an agent on another machine. Its code is loaded only for such an agent. */
const ScreenOnRequest = lazy(() => import('../machines/screen-on-request.tsx'));

const BACK = { to: '/', title: 'Agents' };

/** One agent in full: its terminal, a form for messages, and the reasons for its state. */
export function AgentPage() {
  const { id } = useParams({ from: '/agents/$id' });
  const { data: agent, error, isPending } = useQuery(agentQuery(id));
  if (isPending) return <Loading what="Loading agent" />;
  if (agent === undefined && !(error instanceof Refused && error.status === 404))
    return (
      <>
        <PageTitle title="Agent" back={BACK} />
        <Trouble error={error} />
      </>
    );
  if (agent === undefined)
    return (
      <>
        <PageTitle title={`Agent ${id} not found`} back={BACK} />
        <p className="mb-4 text-muted">
          There is no agent with this number. Its history may have been deleted.{' '}
          <Link to="/" className="text-accent underline">
            All agents
          </Link>{' '}
          ·{' '}
          <Link to="/" search={{ tab: 'ended' }} className="text-accent underline">
            Ended agents
          </Link>
        </p>
      </>
    );
  // Each agent has its own component state, because a draft for one agent must not appear under the name of another
  // agent.
  return <WholeAgent key={agent.id} agent={agent} />;
}

function WholeAgent({ agent }: { readonly agent: Agent }) {
  const { data: runs = [] } = useQuery(runsQuery);
  const isHere = useMachine() === null;
  const run = runToShow(agent, runs);
  const [wraps, setWraps] = useState(wrapsAtFirst);
  return (
    <>
      <PageTitle back={BACK} title={`${visible(agent.label)} · agent ${agent.id}`} note={<Subtitle agent={agent} />}>
        {!canRetry(agent, run) && <HandoffButton agent={agent} />}
        <AgentMenuButton agent={agent} />
      </PageTitle>
      <Standing agent={agent} run={run} />
      {run === undefined && (
        <div className="mb-6 empty:hidden">
          <StuckNote agent={agent} />
        </div>
      )}
      <Section title="Terminal" aside={isLive(agent) && <WrapButton agent={agent} wraps={wraps} onChange={setWraps} />}>
        {isLive(agent) ? <AgentScreen agent={agent} wraps={wraps} /> : <NoTerminal agent={agent} runs={runs} />}
        {isLive(agent) && agent.state !== 'awaiting_input' && (
          <div className="mt-4">{talk(agent, run !== undefined && !run.over)}</div>
        )}
      </Section>
      <div className="grid items-start gap-x-8 md:grid-cols-2">
        <div className="mb-6 min-w-0">
          <Facts agent={agent} />
          {isHere && <AgentEnvironment agentId={agent.id} />}
        </div>
        <Why agentId={agent.id} state={agent.state} />
      </div>
    </>
  );
}

/** Says that the agent has no terminal any more, and links to the agent's handoff and to the lineage of its persona. */
function NoTerminal({ agent, runs }: { readonly agent: Agent; readonly runs: readonly Run[] }) {
  const isHere = useMachine() === null;
  const run = runs.find(({ agent_id }) => agent_id === agent.id);
  return (
    <p className="text-muted">
      {agent.state === 'lost' ? 'This agent was lost with its terminal.' : 'This agent has ended.'}{' '}
      {run !== undefined && (
        <ToRun id={run.id} className="text-accent underline">
          Handoff {run.id}
        </ToRun>
      )}{' '}
      {isHere && agent.persona !== null && (run !== undefined || agent.previous_agent_id !== null) && (
        <Link to="/personas/$slug/lineage" params={{ slug: agent.persona.slug }} className="text-accent underline">
          Lineage of {visible(agent.persona.name)}
        </Link>
      )}
    </p>
  );
}

/** The terminal of an agent. The screen of another machine is fetched only when the operator asks for it. */
const AgentScreen = ({ agent: { id, label }, wraps }: { readonly agent: Agent; readonly wraps: boolean }) =>
  useMachine() === null ? (
    <Terminal agentId={id} label={label} wraps={wraps} />
  ) : (
    <Suspense>
      <ScreenOnRequest agentId={id} label={label} wraps={wraps} />
    </Suspense>
  );

/** Shows the agent's state above the terminal and not beside it, because the terminal needs the whole width. */
const Standing = ({ agent, run }: { readonly agent: Agent; readonly run: Run | undefined }) => (
  <Panel className="mb-6 grid items-start gap-x-8 gap-y-3 p-4 md:grid-cols-2">
    <div className="min-w-0 space-y-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <StateBadge agent={agent} run={run} />
        <StateReason agent={agent} run={run} />
      </div>
      <DecisionNote agent={agent} />
      <Activity agent={agent} />
      {agent.state === 'awaiting_input' && <AnswerQuestion agent={agent} />}
    </div>
    <div>
      <ContextBar agent={agent} />
      <AgentTokens usage={agent.usage} />
      {isLive(agent) && agent.handoff_offer.why_not !== null && (
        <p className="mt-1.5 text-sm text-muted">{agent.handoff_offer.why_not}</p>
      )}
      {isLive(agent) && agent.handoff_policy && (
        <p className="mt-1.5 text-sm text-muted">
          Handoff policy: {policyInWords(agent.handoff_policy)} ({FROM_WORDS[agent.handoff_policy.from]})
        </p>
      )}
    </div>
    <div className="empty:hidden md:col-span-full">
      <AutoNote agent={agent} />
    </div>
    {run !== undefined && (
      <div className="md:col-span-full">
        <RunStrip run={run} />
      </div>
    )}
  </Panel>
);

function talk(agent: Agent, isInRun: boolean) {
  if (isInRun)
    return <p className="text-sm text-muted">You cannot send messages while this agent is being handed over.</p>;
  return <SendMessage agent={agent} rows={3} />;
}

const Subtitle = ({ agent }: { readonly agent: Agent }) => (
  <Dotted>
    {agent.persona === null ? (
      'No persona'
    ) : (
      <ToPersona id={agent.persona.slug} className="underline">
        {visible(agent.persona.role)}
      </ToPersona>
    )}
    {agent.runtime}
    {visible(agent.project.name)}
  </Dotted>
);

function Facts({ agent }: { readonly agent: Agent }) {
  const isHere = useMachine() === null;
  const { data: agents = [] } = useQuery({ ...agentsQuery, enabled: isHere });
  const next = agents.find((each) => each.previous_agent_id === agent.id && each.id !== agent.resumed_as);
  return (
    <dl className="mb-6 grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5 text-sm [&_dt]:text-muted">
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
            <ToAgent id={agent.previous_agent_id} className="text-accent underline">
              agent {agent.previous_agent_id}
            </ToAgent>
            {isHere && agent.persona !== null && (
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
      {next !== undefined && (
        <>
          <dt>Continued by</dt>
          <dd>
            <ToAgent id={next.id} className="text-accent underline">
              agent {next.id}
            </ToAgent>
          </dd>
        </>
      )}
      <dt>Skill loaded</dt>
      <dd>{agent.skill_injected_at === null ? 'not yet' : <Ago at={agent.skill_injected_at} />}</dd>
      <dt>Folder</dt>
      <dd className="font-mono text-xs wrap-anywhere">
        <Path text={agent.folder} />
      </dd>
      {agent.worktree !== null && (
        <>
          <dt>Worktree</dt>
          <dd className="font-mono text-xs break-all">
            <ToWorktrees className="text-accent underline">{visible(agent.worktree.branch)}</ToWorktrees>
          </dd>
        </>
      )}
      {agent.resumed_as !== null && (
        <>
          <dt>Resumed as</dt>
          <dd>
            <ToAgent id={agent.resumed_as} className="text-accent underline">
              agent {agent.resumed_as}
            </ToAgent>
          </dd>
        </>
      )}
      <dt>Session</dt>
      <dd className="font-mono text-xs break-all">{agent.session_uuid}</dd>
      {isHere && isLive(agent) && (
        <>
          <dt>Attach</dt>
          <dd className="flex items-baseline gap-1">
            <code className="min-w-0 font-mono text-xs wrap-anywhere">
              <Path text={agent.attach_command} />
            </code>
            <CopyButton text={agent.attach_command} what={`attach command of agent ${agent.id}`} />
          </dd>
        </>
      )}
    </dl>
  );
}
