import { useQuery } from '@tanstack/react-query';
import type { Event, Run } from '../../../../contract/resources.ts';
import { runStatus, waitsForApproval } from '../../../../contract/words/step-words.ts';
import { runEventsQuery } from '../../api/queries.ts';
import { classes } from '../../parts/class-names.ts';
import { Fold } from '../../parts/fold.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Panel } from '../../parts/panel.tsx';
import { At, duration, Elapsed } from '../../parts/time.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { groupEvidence } from './group-evidence.ts';
import { type TimelineEntry, timelineOf } from './timeline.ts';

/** Every step that the run entered, with its time, its duration and its events in the log. */
export function RunTimeline({ run }: { readonly run: Run }) {
  const { data: events = [], error } = useQuery(runEventsQuery(run.id));
  const evidence = groupEvidence(run.steps, events);
  const entries = timelineOf(run);
  // True if the run has returned to a step that it had already entered in the same attempt. Such a repeated step adds
  // no entry to the timeline.
  const isAgain = !run.over && entries.at(-1)?.step !== run.step;
  return (
    <Panel className="px-4 py-3">
      <Trouble error={error} />
      <ol>
        {entries.map((entry, index) => (
          <TimelineStep
            key={`${entry.step}-${entry.enteredAt}`}
            entry={entry}
            isLast={index === entries.length - 1 && !isAgain}
            needsOperator={waitsForApproval(run)}
            evidence={evidence[index] ?? []}
          />
        ))}
        {isAgain && (
          <li className="relative pb-1 pl-6">
            <Dot state="now" />
            <h3 className="font-medium">Repeated: {runStatus(run).words}</h3>
          </li>
        )}
      </ol>
    </Panel>
  );
}

/** The state of a dot in the timeline. `waits` means that the run waits for the operator at the step of the dot. */
type DotState = TimelineEntry['state'] | 'waits';

const DOT: Readonly<Record<DotState, string>> = {
  done: 'bg-green',
  now: 'bg-blue',
  waits: 'bg-amber',
  interrupted: 'bg-amber',
  failed_here: 'bg-red',
  missed: 'bg-amber',
  failed: 'bg-red',
  ended: 'bg-violet',
};

const UNDONE: Readonly<Partial<Record<TimelineEntry['state'], string>>> = {
  interrupted: 'interrupted',
  failed_here: 'failed here',
  missed: 'missing',
};

const Dot = ({ state }: { readonly state: DotState }) => (
  <span
    aria-hidden="true"
    className={classes('absolute top-1.5 left-0 size-[0.65rem] rounded-full ring-3 ring-panel', DOT[state])}
  />
);

interface TimelineStepProps {
  readonly entry: TimelineEntry;
  readonly isLast: boolean;
  readonly needsOperator: boolean;
  readonly evidence: readonly Event[];
}

function TimelineStep({
  entry: { words, enteredAt, ms, newAttempt, state },
  isLast,
  needsOperator,
  evidence,
}: TimelineStepProps) {
  // The title of a completed step says what happened at its end, such as "Old agent stopped", so show the time of the
  // end.
  const at = state === 'done' && ms !== null ? new Date(Date.parse(enteredAt) + ms).toISOString() : enteredAt;
  return (
    <li className="relative pb-4 pl-6 last:pb-1">
      {!isLast && (
        <span aria-hidden="true" className="absolute top-3 bottom-[-0.4rem] left-[0.3rem] w-px bg-line-strong" />
      )}
      <Dot state={state === 'now' && needsOperator ? 'waits' : state} />
      {newAttempt !== null && <p className="text-sm font-semibold text-violet">Attempt {newAttempt}</p>}
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className={classes('font-medium', state === 'failed' && 'text-red')}>
          {words}
          {state in UNDONE && (
            <span className={classes('font-normal', state === 'failed_here' ? 'text-red' : 'text-amber')}>
              {' '}
              · {UNDONE[state]}
            </span>
          )}
        </h3>
        <p className="text-sm text-muted tabular-nums">
          <At at={at} />
          {ms !== null && ` · ${duration(ms)}`}
          {state === 'now' && (
            <>
              {' · '}
              <Elapsed since={enteredAt} />
            </>
          )}
        </p>
      </div>
      <Evidence events={evidence} />
    </li>
  );
}

/** The events of one step. The event that began the step is left out, because the heading already names the step. */
function Evidence({ events }: { readonly events: readonly Event[] }) {
  const told = events.filter(
    ({ type }, index) => type !== 'clock_ticked' && (type !== 'handoff_progress' || index > 0),
  );
  if (told.length === 0) return null;
  return (
    <Fold summary={`Evidence (${told.length})`} className="mt-0.5">
      <ol className="mt-1.5 space-y-1 border-l border-line pl-3 text-sm">
        {told.map(({ seq, at, sentence }) => (
          <li key={seq} className="grid gap-x-3 sm:grid-cols-[5.5rem_1fr]">
            <span className="text-muted tabular-nums">
              <At at={at} />
            </span>
            <span className="min-w-0 wrap-anywhere">{visible(sentence)}</span>
          </li>
        ))}
      </ol>
    </Fold>
  );
}
