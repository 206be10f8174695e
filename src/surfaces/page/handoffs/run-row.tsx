import { memo } from 'react';
import type { Agent, Run } from '../../../contract/resources.ts';
import { reasonInWords, watchedAgentId } from '../../../contract/words/step-words.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { Ago, duration } from '../parts/time.tsx';
import { ToRun } from '../parts/to.tsx';
import { ShortPaths } from '../parts/words/short-paths.tsx';
import { RunDeadline, RunStatus } from './run-status.tsx';
import { tookMs } from './stages.ts';

/** One handoff in the list. The whole row leads to the handoff's page. */
export const RunRow = memo(function RunRow({ run, agent }: { readonly run: Run; readonly agent: Agent | undefined }) {
  return (
    <li className="relative px-4 py-3.5 hover:bg-sunken/60 has-[a:focus-visible]:bg-sunken">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1.5">
        <ToRun id={run.id} className="min-w-0 font-semibold after:absolute after:inset-0">
          {visible(agent?.label ?? `Agent ${run.agent_id}`)}
          <span className="font-normal text-muted"> · {fromTo(run)}</span>
        </ToRun>
        <RunStatus run={run} />
      </div>
      <div className="mt-1 flex flex-wrap justify-between gap-x-4 text-sm text-muted">
        <p>
          {visible(circumstances(run, agent))} · <Ago at={run.created_at} />
          {run.over ? `, took ${duration(tookMs(run))}` : ''}
        </p>
        {!run.over && (
          <p>
            <RunDeadline run={run} who={`agent ${watchedAgentId(run)}`} />
          </p>
        )}
      </div>
      {run.failure !== null && (
        <p className="mt-1.5 text-sm wrap-anywhere text-red">
          <ShortPaths text={run.failure.sentence} />
        </p>
      )}
    </li>
  );
});

const circumstances = (run: Run, agent: Agent | undefined): string =>
  [
    `Handoff ${run.id}`,
    reasonInWords(run.reason),
    run.emergency && 'emergency',
    run.attempt > 1 && `attempt ${run.attempt}`,
    agent?.project.name,
  ]
    .filter(Boolean)
    .join(' · ');

/** Shows the numbers of the agent and its successor, because both have the name of the same persona. */
const fromTo = ({ agent_id, successor_agent_id, over }: Run): string =>
  `agent ${agent_id} → ${successor_agent_id === null ? `no successor${over ? '' : ' yet'}` : `agent ${successor_agent_id}`}`;
