import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useState } from 'react';
import type { Agent, Run } from '../../../contract/resources.ts';
import { runtimesQuery } from '../api/queries.ts';
import { RunStrip } from '../handoffs/run-strip.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Panel } from '../parts/panel.tsx';
import { Ago } from '../parts/time.tsx';
import { useAction } from '../parts/use-action.ts';
import { AgentMenu } from './agent-menu.tsx';
import { AnswerQuestion } from './answer-question.tsx';
import { ContextBar } from './context-bar.tsx';
import { handOff, isLive } from './hand-off.ts';
import { SendMessage } from './send-message.tsx';
import { StateBadge } from './state-badge.tsx';

/** One agent: its name and persona, state, context use, and actions. */
export const AgentCard = memo(function AgentCard({
  agent,
  run,
  packages = 0,
}: {
  readonly agent: Agent;
  readonly run: Run | undefined;
  /** The number of packages that wait for this agent. */
  readonly packages?: number;
}) {
  const [isTalking, setTalking] = useState(false);
  // While a handoff runs, it controls the agent, so the operator cannot send messages.
  const canTalk = isLive(agent) && (run === undefined || run.over) && agent.state !== 'awaiting_input';
  return (
    <Panel className="flex h-full flex-col gap-3 p-4">
      <article aria-label={visible(`${agent.label}, agent ${agent.id}`)} className="flex flex-1 flex-col gap-3">
        <CardHead agent={agent} />
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <StateBadge state={agent.state} />
          {agent.muted && <Badge tone="grey">Muted</Badge>}
          {agent.adopted && <Badge tone="violet">In your tmux</Badge>}
          {agent.state !== 'awaiting_input' && (
            <p className="min-w-0 text-sm wrap-anywhere text-muted">{visible(agent.state_reason)}</p>
          )}
        </div>
        {agent.state === 'awaiting_input' ? <AnswerQuestion agent={agent} /> : <Activity agent={agent} />}
        <ContextBar agent={agent} />
        {run !== undefined && <RunStrip run={run} />}
        {packages > 0 && <PackagesWaiting agent={agent} count={packages} />}
        <div className="mt-auto flex flex-wrap items-center gap-2">
          <HandoffButton agent={agent} />
          {canTalk && (
            <Button
              small
              aria-expanded={isTalking}
              aria-label={visible(`Message ${agent.label}, agent ${agent.id}`)}
              onClick={() => setTalking(!isTalking)}
            >
              Message
            </Button>
          )}
        </div>
        {isTalking && canTalk && <SendMessage agent={agent} />}
        <CardFoot agent={agent} />
      </article>
    </Panel>
  );
});

/** The tool in use while the agent works; when it is idle, its last prompt. */
const Activity = ({ agent: { activity, state } }: { readonly agent: Agent }) =>
  activity === null ? null : (
    <p className="line-clamp-2 text-sm wrap-anywhere" title={visible(activity)}>
      <span className="text-muted">{state === 'working' ? 'Now: ' : 'Last prompt: '}</span>
      {visible(activity)}
    </p>
  );

const PackagesWaiting = ({ agent, count }: { readonly agent: Agent; readonly count: number }) => (
  <Link
    to="/packages"
    search={{ agent: agent.persona?.slug ?? `agent-${agent.id}` }}
    className="text-sm text-accent underline underline-offset-2"
  >
    {count === 1 ? '1 package waiting' : `${count} packages waiting`}
  </Link>
);

function CardHead({ agent }: { readonly agent: Agent }) {
  return (
    <div className="flex items-start justify-between gap-2">
      <div className="min-w-0">
        <h3 className="truncate text-base font-semibold">
          <Link to="/agents/$id" params={{ id: agent.id }} className="hover:underline">
            {visible(agent.label)}
          </Link>
        </h3>
        <p className="truncate text-sm text-muted">
          {agent.persona === null ? (
            'No persona'
          ) : (
            <Link to="/personas/$slug" params={{ slug: agent.persona.slug }} className="hover:underline">
              {visible(agent.persona.role)}
            </Link>
          )}
          {' · '}
          {agent.runtime}
          {' · '}agent {agent.id}
        </p>
        <VersionNote runtime={agent.runtime} />
      </div>
      <AgentMenu agent={agent} />
    </div>
  );
}

/** Shown unless Baton was tested with the installed client version. A running agent may still use an older version. */
function VersionNote({ runtime }: { readonly runtime: string }) {
  const { data: runtimes = [] } = useQuery({ ...runtimesQuery, staleTime: 5 * 60_000 });
  const known = runtimes.find(({ id }) => id === runtime);
  if (known === undefined || known.standing_sentence === null || known.standing === 'tried') return null;
  return (
    <p className="text-sm text-amber">
      Installed: {known.title} {visible(known.standing_sentence)}
    </p>
  );
}

/** Shown exactly when the server offers a handoff; busy until the server has answered. */
export function HandoffButton({ agent }: { readonly agent: Agent }) {
  const begin = useAction(async () => {
    await handOff(agent.id, { reason: 'context_limit' });
    return undefined;
  });
  if (!agent.handoff_offer.offered && !begin.busy) return null;
  return (
    <Button
      kind="primary"
      busy={begin.busy}
      aria-label={visible(`Handoff: ${agent.label}, agent ${agent.id}`)}
      onClick={() => void begin.run()}
    >
      Handoff
    </Button>
  );
}

function CardFoot({ agent }: { readonly agent: Agent }) {
  return (
    <div className="-mb-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line pt-2 text-sm text-muted">
      <span>
        Active <Ago at={agent.last_seen_at} />
        {agent.worktree !== null && (
          <>
            {' · '}
            <Link to="/worktrees" className="break-all underline hover:text-ink" title="Worktree">
              {visible(agent.worktree.branch)}
            </Link>
          </>
        )}
        {agent.previous_agent_id !== null && (
          <>
            {' · '}
            <Link to="/agents/$id" params={{ id: agent.previous_agent_id }} className="underline hover:text-ink">
              {agent.resumed_from === null ? 'continues' : 'resumes'} agent {agent.previous_agent_id}
            </Link>
          </>
        )}
      </span>
      {isLive(agent) && (
        <span className="flex items-center" title={agent.attach_command}>
          tmux attach
          <CopyButton text={agent.attach_command} what={`attach command for ${agent.label}`} />
        </span>
      )}
    </div>
  );
}
