import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, memo, Suspense, useEffect, useState } from 'react';
import type { Agent, Run } from '../../../contract/resources.ts';
import { inboxQuery, runtimesQuery } from '../api/queries.ts';
import { AutoNote } from '../handoffs/policy/auto-note.tsx';
import { RunStrip } from '../handoffs/run-strip.tsx';
import { AsOf, useHeard } from '../machines/heard.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { classes } from '../parts/class-names.ts';
import { Dotted } from '../parts/lists/dotted.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Panel } from '../parts/panel.tsx';
import { Ago } from '../parts/time.tsx';
import { ToAgent, ToPersona, ToWorktrees } from '../parts/to.tsx';
import { useAction } from '../parts/use-action.ts';
import { AgentTokens } from '../usage/amounts.tsx';
import { AnswerQuestion } from './answer-question.tsx';
import { ContextBar } from './context-bar.tsx';
import { canRetry, isLive, useHandOff } from './hand-off.ts';
import { useHasDraft } from './list/use-kept-draft.ts';
import { AgentMenuButton } from './menu/menu-button.tsx';
import { DecisionNote } from './needs/decision-note.tsx';
import { LimitNote } from './needs/limit-note.tsx';
import { SendMessage } from './send-message.tsx';
import { StateBadge, StateReason } from './state-badge.tsx';

/** One agent: its name and persona, state, context use, and actions. */
export const AgentCard = memo(function AgentCard({
  agent,
  run,
  packages = 0,
  isTwin = false,
}: {
  readonly agent: Agent;
  readonly run: Run | undefined;
  /** The number of packages that wait for this agent. */
  readonly packages?: number;
  /** True if another live agent has the same name. */
  readonly isTwin?: boolean;
}) {
  const [isTalking, setTalking] = useState(useHasDraft(`message to ${agent.id}`));
  // True right after the operator has clicked to open the message form. Only then does the form take the focus. A form
  // that is shown because a draft was kept does not take the focus.
  const [wasAsked, setAsked] = useState(false);
  useEffect(() => {
    if (wasAsked) setAsked(false);
  }, [wasAsked]);
  // While a handoff is in flight, Baton types into the agent, so the operator cannot send messages.
  const canTalk = isLive(agent) && (run === undefined || run.over) && agent.state !== 'awaiting_input';
  return (
    <Panel className={classes('p-4', needsAction(agent) && 'border-amber/60')}>
      <article
        data-item=""
        tabIndex={-1}
        aria-label={visible(`${agent.label}, agent ${agent.id}`)}
        className="flex flex-col gap-3 outline-offset-8"
      >
        <CardHead agent={agent} isTwin={isTwin} />
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <StateBadge agent={agent} run={run} />
          {agent.muted && <Badge tone="grey">Muted</Badge>}
          {isLive(agent) && agent.handoff_policy?.mode === 'auto' && <Badge tone="blue">Auto handoff</Badge>}
          {agent.adopted && <Badge tone="violet">In your tmux</Badge>}
          {agent.state !== 'awaiting_input' && <StateReason agent={agent} run={run} />}
        </div>
        {run !== undefined && <RunStrip run={run} />}
        {run === undefined && <StuckNote agent={agent} />}
        <DecisionNote agent={agent} />
        {run === undefined && agent.limit && <LimitNote agent={agent} limit={agent.limit} />}
        <Activity agent={agent} />
        {agent.state === 'awaiting_input' && <AnswerQuestion agent={agent} />}
        <div>
          <ContextBar agent={agent} />
          <AgentTokens usage={agent.usage} isBrief />
        </div>
        {run === undefined && <AutoNote agent={agent} />}
        {packages > 0 && <PackagesWaiting agent={agent} count={packages} />}
        {isTalking && canTalk && <SendMessage agent={agent} focus={wasAsked} />}
        <div className="-mb-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-t border-line pt-2">
          <CardFoot agent={agent} />
          <span className="ml-auto flex items-center gap-2 empty:hidden">
            {canTalk && (
              <Button
                small
                aria-expanded={isTalking}
                aria-label={visible(`Message ${agent.label}, agent ${agent.id}`)}
                onClick={() => {
                  setTalking(!isTalking);
                  setAsked(true);
                }}
              >
                Message
              </Button>
            )}
            {!canRetry(agent, run) && <HandoffButton agent={agent} small />}
          </span>
        </div>
      </article>
    </Panel>
  );
});

const needsAction = ({ needs }: Agent): boolean => Boolean(needs) && needs?.severity !== 'notice';

/** The buttons for a stuck agent. Their code is loaded when the first agent is stuck, because most agents never are. */
const ItemOffers = lazy(async () => ({ default: (await import('../inbox/item-offers.tsx')).ItemOffers }));

/**
 * Says why the agent is stuck, and offers actions that help. The agent's question, handoff and context use are shown
 * elsewhere on the card.
 */
export function StuckNote({ agent: { needs, limit } }: { readonly agent: Agent }) {
  const { data: items = [] } = useQuery(inboxQuery);
  if (needs?.severity !== 'stuck' || limit) return null;
  const item = items.find(({ id }) => id === needs.item_id);
  return (
    <div>
      <p className="text-sm wrap-anywhere text-amber">{visible(needs.sentence)}</p>
      {item !== undefined && (
        <Suspense>
          <ItemOffers item={item} />
        </Suspense>
      )}
    </div>
  );
}

/** Shows what a working agent is doing. For any other agent, shows the agent's last prompt. */
export const Activity = ({ agent: { activity, state } }: { readonly agent: Agent }) =>
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
    className="inline-flex min-h-[44px] items-center text-sm text-accent underline underline-offset-2 md:min-h-0"
  >
    {count === 1 ? '1 package waiting' : `${count} packages waiting`}
  </Link>
);

function CardHead({ agent, isTwin }: { readonly agent: Agent; readonly isTwin: boolean }) {
  return (
    <div className="flex items-start justify-between gap-2">
      <div className="min-w-0">
        <h3 className="text-base font-semibold wrap-anywhere">
          <ToAgent id={agent.id} data-open="" className="hover:underline">
            {visible(isTwin ? `${agent.label} · agent ${agent.id}` : agent.label)}
          </ToAgent>{' '}
          {!isTwin && <span className="text-sm font-normal whitespace-nowrap text-muted">agent {agent.id}</span>}
        </h3>
        <Dotted className="text-sm text-muted">
          {agent.persona === null ? (
            'No persona'
          ) : (
            <ToPersona id={agent.persona.slug} className="hover:underline">
              {visible(agent.persona.role)}
            </ToPersona>
          )}
          {visible(agent.project.name)}
          <span>
            {agent.runtime}
            {agent.model ? ` (${visible(agent.model)})` : ''}
            {agent.client_args?.length ? ` ${visible(agent.client_args.join(' '))}` : ''}
          </span>
        </Dotted>
        <VersionNote runtime={agent.runtime} />
      </div>
      <AgentMenuButton agent={agent} />
    </div>
  );
}

/**
 * Shows a note if Baton was not tested with the installed version of the client. The agent itself may still run an
 * older version.
 */
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

/**
 * True if a person must decide about a handoff: the agent has asked for it, or Baton holds back an automatic handoff.
 * In both cases the card offers a handoff, even if the context use is below the threshold.
 */
const waitsForPerson = ({ auto_handoff: auto, run_id, persona, state }: Agent): boolean =>
  Boolean(auto?.held ?? auto?.requested) && run_id === null && persona !== null && isLive({ state });

/** True if the page shows the button that hands off this agent. */
export const offersHandoff = (agent: Agent): boolean => agent.handoff_offer.offered || waitsForPerson(agent);

/**
 * The button that hands off the agent. Shown if the server suggests a handoff, or if a person must decide about one.
 * Stays busy until the server has answered.
 */
export function HandoffButton({ agent, small }: { readonly agent: Agent; readonly small?: boolean }) {
  const handOff = useHandOff();
  const begin = useAction(async () => {
    await handOff(agent.id, { reason: 'context_limit' });
    return undefined;
  });
  if (!offersHandoff(agent) && !begin.busy) return null;
  return (
    <Button
      kind="primary"
      small={small ?? false}
      busy={begin.busy}
      aria-label={visible(`Handoff: ${agent.label}, agent ${agent.id}`)}
      onClick={() => void begin.run()}
    >
      Handoff
    </Button>
  );
}

function CardFoot({ agent }: { readonly agent: Agent }) {
  const heard = useHeard();
  return (
    <Dotted className="min-w-0 grow basis-28 text-sm text-muted">
      <span>
        Active <Ago at={agent.last_seen_at} />
      </span>
      {heard !== null && <AsOf heard={heard} />}
      {agent.worktree !== null && (
        <ToWorktrees className="underline hover:text-ink" title="Worktree">
          {visible(agent.worktree.branch)}
        </ToWorktrees>
      )}
      {agent.previous_agent_id !== null && (
        <ToAgent id={agent.previous_agent_id} className="underline hover:text-ink">
          {agent.resumed_from === null ? 'continues' : 'resumes'} agent {agent.previous_agent_id}
        </ToAgent>
      )}
    </Dotted>
  );
}
