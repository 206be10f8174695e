import { useQuery } from '@tanstack/react-query';
import type { Event, Run } from '../../../contract/resources.ts';
import { eventSentence } from '../activity/event-sentence.ts';
import { runEventsQuery } from '../api/queries.ts';
import { classes } from '../parts/class-names.ts';
import { Fold } from '../parts/fold.tsx';
import { Panel } from '../parts/panel.tsx';
import { At, duration, Elapsed } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { visible } from '../parts/visible-text.ts';
import { groupEvidence } from './group-evidence.ts';
import { stepNow, stepTitle } from './step-words.ts';

type Entry = Run['steps'][number];

/** Every step that was entered: when, for how long, and what the log holds about it. */
export function RunTimeline({ run }: { readonly run: Run }) {
  const { data: events = [], error } = useQuery(runEventsQuery(run.id));
  const evidence = groupEvidence(run.steps, events);
  return (
    <Panel className="px-4 py-3">
      <Trouble error={error} />
      <ol>
        {run.steps.map((entry, index) => (
          <TimelineStep
            key={`${entry.step}-${entry.entered_at}`}
            entry={entry}
            isLast={index === run.steps.length - 1}
            isOver={run.over}
            isNewAttempt={index > 0 && entry.attempt !== run.steps[index - 1]?.attempt}
            evidence={evidence[index] ?? []}
          />
        ))}
      </ol>
    </Panel>
  );
}

interface TimelineStepProps {
  readonly entry: Entry;
  readonly isLast: boolean;
  readonly isOver: boolean;
  readonly isNewAttempt: boolean;
  readonly evidence: readonly Event[];
}

const DOT: Readonly<Record<string, string>> = {
  failed: 'bg-red',
  cancelled: 'bg-muted',
  undoing: 'bg-violet',
};

function TimelineStep({ entry, isLast, isOver, isNewAttempt, evidence }: TimelineStepProps) {
  const isNow = isLast && !isOver;
  return (
    <li className="relative pb-4 pl-6 last:pb-1">
      {!isLast && (
        <span aria-hidden="true" className="absolute top-3 bottom-[-0.4rem] left-[0.3rem] w-px bg-line-strong" />
      )}
      <span
        aria-hidden="true"
        className={classes(
          'absolute top-1.5 left-0 size-[0.65rem] rounded-full ring-3 ring-panel',
          isNow ? 'bg-blue' : (DOT[entry.step] ?? 'bg-green'),
        )}
      />
      {isNewAttempt && (
        <p className="text-xs font-semibold tracking-wide text-violet uppercase">Attempt {entry.attempt}</p>
      )}
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className={classes('font-medium', entry.step === 'failed' && 'text-red')}>
          {isNow ? stepNow(entry.step) : stepTitle(entry.step)}
        </h3>
        <p className="text-sm text-muted tabular-nums">
          <At at={entry.entered_at} />
          {entry.ms !== null && ` · ${duration(entry.ms)}`}
          {isNow && (
            <>
              {' · '}
              <Elapsed since={entry.entered_at} />
            </>
          )}
        </p>
      </div>
      <Evidence events={evidence} />
    </li>
  );
}

/** What happened, from the log. The entering itself is the step's heading. */
function Evidence({ events }: { readonly events: readonly Event[] }) {
  const told = events
    .filter(({ type }, index) => type !== 'clock_ticked' && (type !== 'handoff_progress' || index > 0))
    .map((event) => ({ ...event, words: eventSentence(event) }));
  if (told.length === 0) return null;
  return (
    <Fold summary={`Evidence (${told.length})`} className="mt-0.5">
      <ol className="mt-1.5 space-y-1 border-l border-line pl-3 text-sm">
        {told.map(({ seq, at, words }) => (
          <li key={seq} className="grid gap-x-3 sm:grid-cols-[5.5rem_1fr]">
            <span className="text-muted tabular-nums">
              <At at={at} />
            </span>
            <span className="min-w-0 break-words">{visible(words)}</span>
          </li>
        ))}
      </ol>
    </Fold>
  );
}
