import type { ReactNode } from 'react';
import type { Agent, Run } from '../../../../contract/resources.ts';
import { reasonInWords, stepNow, waitsForApproval, watchedAgentId } from '../../../../contract/words/step-words.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Fold } from '../../parts/fold.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Panel } from '../../parts/panel.tsx';
import { At, duration, Elapsed } from '../../parts/time.tsx';
import { HintCommands } from '../../parts/words/hint.tsx';
import { Path } from '../../parts/words/path.tsx';
import { ShortPaths } from '../../parts/words/short-paths.tsx';
import { splitCommands } from '../../parts/words/split-commands.ts';
import { needsSuccessor } from '../choose-offers.ts';
import { RunActions } from '../run-actions.tsx';
import { RunDeadline, RunStatus } from '../run-status.tsx';
import { RunStepper } from '../run-stepper.tsx';
import { stageNumber, stagesOf, tookMs } from '../stages.ts';

/** The run's step, its failure, and the actions that are possible now. */
export function RunOverview({ run, agents }: { readonly run: Run; readonly agents: ReadonlyMap<number, Agent> }) {
  const stages = stagesOf(run);
  const watched = watchedAgentId(run);
  const who = agents.get(watched)?.label ?? 'agent';
  return (
    <Panel className="mb-8 p-4 md:p-5">
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <RunStatus run={run} />
        {run.step !== 'completed' && (
          <span className="text-muted">
            Step {stageNumber(stages)} of {stages.length}
          </span>
        )}
        <RunDeadline run={run} who={`${who} (agent ${watched})`} />
      </div>
      {run.failure !== null && <Failed run={run} failure={run.failure} />}
      <Remarks run={run} />
      {(run.actions.length > 0 || needsSuccessor(run)) && !waitsForApproval(run) && (
        <div className="mb-4">
          <RunActions run={run} />
        </div>
      )}
      <RunStepper stages={stages} />
      <Circumstances run={run} />
    </Panel>
  );
}

function Circumstances({ run }: { readonly run: Run }) {
  return (
    <dl className="mt-4 flex flex-wrap gap-x-8 gap-y-2 border-t border-line pt-3 text-sm">
      <Circumstance name="Reason">{reasonInWords(run.reason)}</Circumstance>
      <Circumstance name="Started">
        <At at={run.created_at} />
      </Circumstance>
      {run.over ? (
        <Circumstance name="Took">{duration(tookMs(run))}</Circumstance>
      ) : (
        <Circumstance name="Elapsed">
          <Elapsed since={run.created_at} />
        </Circumstance>
      )}
      {run.attempt > 1 && <Circumstance name="Attempt">{run.attempt}</Circumstance>}
      {run.review !== 'not_wanted' && (
        <Circumstance name="Your approval">
          {run.review === 'approved' ? 'given' : run.over ? 'not given' : 'needed'}
        </Circumstance>
      )}
      {run.note !== null && run.note !== '' && <Circumstance name="Note">{visible(run.note)}</Circumstance>}
    </dl>
  );
}

const Circumstance = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-muted">{name}</dt>
    <dd className="wrap-anywhere whitespace-pre-wrap">{children}</dd>
  </div>
);

/** Shows the failure of the run at the top. On a phone, the operator must see the failure and its buttons first. */
function Failed({ run, failure }: { readonly run: Run; readonly failure: NonNullable<Run['failure']> }) {
  const { at, sentence, hint, code } = failure;
  const { prose } = splitCommands(hint);
  return (
    <div role="alert" className="mb-4 rounded-lg border border-red/40 bg-red-soft px-4 py-3">
      {run.attempt > 1 && <p className="text-sm font-semibold text-red">Failed again, in attempt {run.attempt}</p>}
      <p className="font-semibold wrap-anywhere text-red">
        <ShortPaths text={sentence} />
      </p>
      {prose !== '' && <p className="mt-1 wrap-anywhere whitespace-pre-wrap">{visible(prose)}</p>}
      <Fold summary="Details">
        <dl className="mb-1 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 text-sm">
          <dt className="text-muted">Failed step</dt>
          <dd>{stepNow(at)}</dd>
          <dt className="text-muted">Code</dt>
          <dd>
            <code className="font-mono wrap-anywhere">{code}</code>
          </dd>
          {run.document !== null && (
            <>
              <dt className="text-muted">Document</dt>
              <dd className="flex items-center justify-between gap-2">
                <code className="min-w-0 font-mono wrap-anywhere">
                  <Path text={run.document.absolute_path} />
                </code>
                <CopyButton text={run.document.absolute_path} what={`document path of handoff ${run.id}`} />
              </dd>
            </>
          )}
        </dl>
        <HintCommands text={hint} />
      </Fold>
    </div>
  );
}

/** Unusual facts about this run that the operator should know, such as a late document. */
function Remarks({ run }: { readonly run: Run }) {
  const remarks = [
    run.emergency && 'Emergency handoff: the agent wrote no document. Baton wrote one from what it knew.',
    run.late_document && 'The document arrived after the handoff had ended.',
    run.waits !== null && `Waiting: ${run.waits}`,
    run.compacted_since_instruction &&
      'The agent compacted its context while it wrote the document. The successor gets a note about it.',
  ].filter((remark) => remark !== false);
  if (remarks.length === 0 && run.compact_summary === null) return null;
  return (
    <div className="mb-4 rounded-lg bg-amber-soft px-4 py-3 text-sm text-amber">
      {remarks.map((remark) => (
        <p key={remark} className="wrap-anywhere">
          <ShortPaths text={remark} />
        </p>
      ))}
      {run.compact_summary !== null && (
        <Fold summary="Summary by the client" className="mt-1">
          <p className="mt-1 wrap-anywhere whitespace-pre-wrap text-ink">{visible(run.compact_summary)}</p>
        </Fold>
      )}
    </div>
  );
}
