import type { ReactNode } from 'react';
import type { Agent, Run } from '../../../../contract/resources.ts';
import { reasonInWords, stepNow, waitsForApproval, watchedAgentId } from '../../../../contract/words/step-words.ts';
import { Fold } from '../../parts/fold.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Panel } from '../../parts/panel.tsx';
import { Ago, Elapsed } from '../../parts/time.tsx';
import { RunActions } from '../run-actions.tsx';
import { RunDeadline, RunStatus } from '../run-status.tsx';
import { RunStepper } from '../run-stepper.tsx';
import { stageNumber, stagesOf } from '../stages.ts';

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
      <RunStepper stages={stages} />
      <Circumstances run={run} />
      {run.failure !== null && <Failed failure={run.failure} />}
      <Remarks run={run} />
      {run.actions.length > 0 && !waitsForApproval(run) && (
        <div className="mt-4">
          <RunActions run={run} />
        </div>
      )}
    </Panel>
  );
}

function Circumstances({ run }: { readonly run: Run }) {
  return (
    <dl className="mt-4 flex flex-wrap gap-x-8 gap-y-2 border-t border-line pt-3 text-sm">
      <Circumstance name="Reason">{reasonInWords(run.reason)}</Circumstance>
      <Circumstance name="Started">
        <Ago at={run.created_at} />
      </Circumstance>
      {!run.over && (
        <Circumstance name="Elapsed">
          <Elapsed since={run.created_at} />
        </Circumstance>
      )}
      {run.attempt > 1 && <Circumstance name="Attempt">{run.attempt}</Circumstance>}
      {run.review !== 'not_wanted' && <Circumstance name="Review">{REVIEW[run.review]}</Circumstance>}
      {run.note !== null && run.note !== '' && <Circumstance name="Note">{visible(run.note)}</Circumstance>}
    </dl>
  );
}

const REVIEW = { wanted: 'requested', approved: 'approved' } as const;

const Circumstance = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-muted">{name}</dt>
    <dd className="wrap-anywhere whitespace-pre-wrap">{children}</dd>
  </div>
);

const Failed = ({ failure: { at, sentence, hint, code } }: { readonly failure: NonNullable<Run['failure']> }) => (
  <div role="alert" className="mt-4 rounded-lg border border-red/40 bg-red-soft px-4 py-3">
    <p className="font-semibold wrap-anywhere text-red">{visible(sentence)}</p>
    <p className="mt-1 wrap-anywhere whitespace-pre-wrap">{visible(hint)}</p>
    <p className="mt-1 text-sm text-muted">
      Failed step: {stepNow(at)} · <code className="font-mono">{code}</code>
    </p>
  </div>
);

/** Further facts about this run that a person should know. */
function Remarks({ run }: { readonly run: Run }) {
  const remarks = [
    run.emergency && 'Emergency handoff: the agent ended without a document. The successor got what Baton knew.',
    run.late_document && 'The document arrived after the handoff had ended.',
    run.waits !== null && `Waiting: ${run.waits}`,
    run.compacted_since_instruction &&
      'The agent compacted its context while it wrote the document. The successor gets a note about it.',
  ].filter((remark) => remark !== false);
  if (remarks.length === 0 && run.compact_summary === null) return null;
  return (
    <div className="mt-4 rounded-lg bg-amber-soft px-4 py-3 text-sm text-amber">
      {remarks.map((remark) => (
        <p key={remark}>{visible(remark)}</p>
      ))}
      {run.compact_summary !== null && (
        <Fold summary="Summary by the client" className="mt-1">
          <p className="mt-1 wrap-anywhere whitespace-pre-wrap text-ink">{visible(run.compact_summary)}</p>
        </Fold>
      )}
    </div>
  );
}
