import { Link } from '@tanstack/react-router';
import type { Run } from '../../../contract/resources.ts';
import { runStatus, waitsForApproval } from '../../../contract/words/step-words.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { Spinner } from '../parts/spinner.tsx';
import { Countdown } from '../parts/time.tsx';
import { RunActions } from './run-actions.tsx';

/** A run on the card of its agent: its step, its failure, and its actions. */
export function RunStrip({ run }: { readonly run: Run }) {
  return (
    <section aria-label={`Handoff ${run.id}`} className="rounded-lg bg-sunken p-3 text-sm">
      <div className="flex items-center justify-between gap-2">
        <span className="flex items-center gap-2 font-medium">
          {!run.over && !waitsForApproval(run) && run.paused_since === null && <Spinner />}
          <span aria-live="polite">{runStatus(run).words}</span>
        </span>
        <Link to="/runs/$id" params={{ id: run.id }} className="shrink-0 text-accent underline">
          Handoff {run.id}
        </Link>
      </div>
      {run.failure !== null && (
        <div className="mt-2">
          <p className="wrap-anywhere text-red">{visible(run.failure.sentence)}</p>
          <p className="mt-1 wrap-anywhere text-muted">{visible(run.failure.hint)}</p>
        </div>
      )}
      {run.waits !== null && <p className="mt-1 wrap-anywhere text-amber">Waiting: {visible(run.waits)}</p>}
      {run.paused_since !== null ? (
        <p className="mt-1 text-amber">Timer paused until the agent is answered.</p>
      ) : (
        run.deadline_at !== null && (
          <p className="mt-1 text-muted">
            Step deadline: <Countdown to={run.deadline_at} after=" left" />
          </p>
        )
      )}
      <RunActions run={run} small />
    </section>
  );
}
