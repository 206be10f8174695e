import { Link } from '@tanstack/react-router';
import type { HandoffSummary } from '../../../contract/resources.ts';
import { handoffName, reasonInWords } from '../../../contract/words/step-words.ts';
import { stateInWords } from '../agents/state-words.ts';
import { Badge } from '../parts/badge.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Panel } from '../parts/panel.tsx';
import { At } from '../parts/time.tsx';
import { gapOf, isLive, type LineageAgent, type PlacedAgent } from './lay-out-lineage.ts';

interface Props {
  readonly agents: readonly PlacedAgent[];
  readonly handoffs: readonly HandoffSummary[];
}

/** The agents of the graph as a list, newest first, each with its handoff documents. */
export function LineageList({ agents, handoffs }: Props) {
  const newestFirst = [...agents].sort((one, other) => other.agent.id - one.agent.id);
  return (
    <Panel>
      <ul className="divide-y divide-line">
        {newestFirst.map(({ agent, generation }) => (
          <li key={agent.id} className="grid gap-x-6 gap-y-2 px-4 py-3.5 md:grid-cols-2">
            <AgentFacts agent={agent} generation={generation} />
            <Documents of={agent} handoffs={handoffs.filter(({ agent_id }) => agent_id === agent.id)} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function AgentFacts({ agent, generation }: { readonly agent: LineageAgent; readonly generation: number }) {
  return (
    <div className="min-w-0">
      <h3 className="flex flex-wrap items-center gap-2">
        <Link to="/agents/$id" params={{ id: agent.id }} className="font-semibold hover:underline">
          Agent {agent.id}
        </Link>
        <Badge tone={isLive(agent) ? 'green' : agent.state === 'lost' ? 'red' : 'grey'}>
          {stateInWords(agent.state)}
        </Badge>
        {agent.brought_back && <Badge tone="violet">Resumed</Badge>}
        {agent.wore_until !== null && <Badge tone="grey">Persona changed</Badge>}
      </h3>
      <p className="mt-1 text-sm text-muted">
        Generation {generation + 1}
        {agent.previous_agent_id !== null && ` · after agent ${agent.previous_agent_id}`} · {visible(agent.project)} ·{' '}
        {agent.runtime} · <code className="font-mono">{agent.uuid8}</code>
      </p>
      <p className="text-sm text-muted">
        {(agent.wore_until ?? agent.ended_at) === null && 'Since '}
        <At at={agent.started_at} />
        {(agent.wore_until ?? agent.ended_at) !== null && (
          <>
            {' to '}
            <At at={agent.wore_until ?? agent.ended_at ?? ''} />
          </>
        )}
      </p>
    </div>
  );
}

function Documents({
  of: agent,
  handoffs,
}: {
  readonly of: LineageAgent;
  readonly handoffs: readonly HandoffSummary[];
}) {
  if (handoffs.length === 0)
    return <p className="text-sm text-muted md:pt-0.5">{isLive(agent) ? 'No handoff yet' : 'No document'}</p>;
  return (
    <ul className="min-w-0 space-y-2">
      {handoffs.map((handoff) => (
        <li key={handoff.id} className="text-sm">
          <DocumentLine handoff={handoff} />
        </li>
      ))}
    </ul>
  );
}

function DocumentLine({ handoff }: { readonly handoff: HandoffSummary }) {
  const { id, run_id, file_path, reason, successor_agent_id, created_at } = handoff;
  const name = handoffName({ id, run_id });
  const gap = successor_agent_id === null ? null : gapOf({ kind: 'handoff', handoff });
  return (
    <>
      {run_id === null ? (
        <span className="font-medium">{name}</span>
      ) : (
        <Link to="/runs/$id" params={{ id: run_id }} className="font-medium text-accent underline underline-offset-2">
          {name}
        </Link>
      )}{' '}
      <span className="break-all text-muted">
        {file_path === null ? '· no document' : visible(`· ${file_path.split('/').at(-1)}`)}
      </span>
      <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
        <span>
          {reasonInWords(reason)} · <At at={created_at} /> ·{' '}
          {successor_agent_id === null ? 'no successor' : `to agent ${successor_agent_id}`}
        </span>
        {gap !== null && <Badge tone="amber">{gap}</Badge>}
        {handoff.acknowledged && <Badge tone="green">Acknowledged</Badge>}
      </p>
    </>
  );
}
