import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { Agent, Run } from '../../../contract/resources.ts';
import { Ago, duration, Elapsed } from '../parts/time.tsx';
import { RunDeadline, RunStatus } from './run-status.tsx';
import { reasonInWords, watchedAgentId } from './step-words.ts';

/** One handoff in the list; the whole row leads to its page. */
export const RunRow = memo(function RunRow({
  run,
  agent,
  successor,
}: {
  readonly run: Run;
  readonly agent: Agent | undefined;
  readonly successor: Agent | undefined;
}) {
  return (
    <li className="relative px-4 py-3.5 hover:bg-sunken/60 has-[a:focus-visible]:bg-sunken">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1.5">
        <Link to="/runs/$id" params={{ id: run.id }} className="min-w-0 font-semibold after:absolute after:inset-0">
          {agent?.label ?? `Agent ${run.agent_id}`}
          <span className="font-normal text-muted"> · {fromTo(run, successor)}</span>
        </Link>
        <RunStatus run={run} />
      </div>
      <p className="mt-1 flex flex-wrap gap-x-2 text-sm text-muted">
        <span>Handoff {run.id}</span>·<span>{reasonInWords(run.reason)}</span>
        {run.emergency && <span>· emergency</span>}
        {run.attempt > 1 && <span>· attempt {run.attempt}</span>}
        {agent !== undefined && <span>· {agent.project.name}</span>}·
        <span>
          began <Ago at={run.created_at} />, {run.over ? 'took ' : 'runs for '}
          {run.over ? duration(tookMs(run)) : <Elapsed since={run.created_at} />}
        </span>
        {!run.over && (
          <span className="ml-auto">
            <RunDeadline run={run} who={`agent ${watchedAgentId(run)}`} />
          </span>
        )}
      </p>
      {run.failure !== null && <p className="mt-1.5 text-sm text-red">{run.failure.sentence}</p>}
    </li>
  );
});

function fromTo({ agent_id, successor_agent_id }: Run, successor: Agent | undefined): string {
  if (successor_agent_id === null) return `agent ${agent_id} → no successor yet`;
  const ended = successor?.state === 'ended' || successor?.state === 'lost' ? ' (ended)' : '';
  return `agent ${agent_id} → agent ${successor_agent_id}${ended}`;
}

const tookMs = ({ created_at, steps, updated_at }: Run): number =>
  Date.parse(steps.at(-1)?.entered_at ?? updated_at) - Date.parse(created_at);
