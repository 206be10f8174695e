import type { Run } from '../../../contract/resources.ts';
import { runStatus, waitsForApproval } from '../../../contract/words/step-words.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { Spinner } from '../parts/spinner.tsx';
import { Countdown } from '../parts/time.tsx';
import { ToRun } from '../parts/to.tsx';
import { HintCommands } from '../parts/words/hint.tsx';
import { ShortPaths } from '../parts/words/short-paths.tsx';
import { splitCommands } from '../parts/words/split-commands.ts';
import { RunActions } from './run-actions.tsx';

/** The run on its agent's card: the step, the failure, and the actions. */
export function RunStrip({ run }: { readonly run: Run }) {
  const hint = run.failure?.hint ?? '';
  const { prose } = splitCommands(hint);
  return (
    <section aria-label={`Handoff ${run.id}`} className="rounded-lg bg-sunken p-3 text-sm">
      <div className="flex items-center justify-between gap-2">
        <span className="flex items-center gap-2 font-medium">
          {!run.over && !waitsForApproval(run) && run.paused_since === null && <Spinner />}
          <span aria-live="polite">{runStatus(run).words}</span>
        </span>
        <ToRun id={run.id} className="inline-flex min-h-[44px] shrink-0 items-center text-accent underline md:min-h-0">
          Handoff {run.id}
        </ToRun>
      </div>
      {run.failure !== null && (
        <div className="mt-2">
          <p className="wrap-anywhere text-red">
            <ShortPaths text={run.failure.sentence} />
          </p>
          {prose !== '' && <p className="mt-1 wrap-anywhere text-muted">{visible(prose)}</p>}
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
      {/* Put the hint's commands below the buttons, because on a phone the operator can use only the buttons. */}
      <div className="mt-2 empty:hidden">
        <HintCommands text={hint} />
      </div>
    </section>
  );
}
