import { useQuery } from '@tanstack/react-query';
import { Fragment, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { Event } from '../../../contract/resources.ts';
import { agentsQuery } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { Empty, Panel } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import type { EventFilter } from './event-kinds.ts';
import { type EventLog, isFull } from './event-log.ts';
import { EventRow, FoldedRow } from './event-row.tsx';
import { foldTools, type LogRow, sumUp } from './fold-tools.ts';
import { useEventLog } from './use-event-log.ts';
import { withLabel } from './with-label.ts';

/**
 * A page that is scrolled down by at most this many pixels counts as scrolled to the top, so new rows appear
 * immediately. If the page is scrolled down further, the operator is reading older rows, which must not move.
 */
const AT_TOP_PX = 120;

export function EventList({ filter, search }: { readonly filter: EventFilter; readonly search: string }) {
  const isReading = useRef(false);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const { log, error, newCount, reveal, loadOlder, isLoading } = useEventLog(filter, isReading);
  useEffect(() => {
    const look = (): void => {
      isReading.current = scrollY > AT_TOP_PX || open.size > 0;
      if (!isReading.current) reveal();
    };
    look();
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, [open, reveal]);
  const toggle = useCallback((seq: number): void => {
    setOpen((seqs) => (seqs.has(seq) ? new Set([...seqs].filter((each) => each !== seq)) : new Set([...seqs, seq])));
  }, []);
  const showNew = (): void => {
    setOpen(new Set());
    reveal();
    scrollTo({ top: 0 });
  };
  if (error !== null && log === undefined) return <Trouble error={error} />;
  if (log === undefined) return <Loading />;
  return (
    <>
      <NewPill count={newCount} onShow={showNew} />
      <Rows log={log} search={search} open={open} onToggle={toggle} />
      <Older log={log} isLoading={isLoading} onLoad={loadOlder} />
    </>
  );
}

const NewPill = ({ count, onShow }: { readonly count: number; readonly onShow: () => void }) => (
  <div role="status" className="pointer-events-none sticky top-3 z-10 flex h-0 justify-center">
    {count > 0 && (
      <button
        type="button"
        onClick={onShow}
        className="pointer-events-auto h-9 rounded-full bg-accent px-4 text-sm font-semibold text-on-accent tabular-nums shadow-card hover:bg-accent-hover"
      >
        <span aria-hidden="true">↑ </span>
        {count > 999 ? '999+' : count} new
      </button>
    )}
  </div>
);

function Rows({
  log,
  search,
  open,
  onToggle,
}: {
  readonly log: EventLog;
  readonly search: string;
  readonly open: ReadonlySet<number>;
  readonly onToggle: (seq: number) => void;
}) {
  const { sentenceOf, labelOf } = useSentences();
  const shown = useDeferredValue(log.shown);
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const found = useMemo(
    () => (wanted === '' ? shown : shown.filter((event) => isFound(event, sentenceOf(event), wanted))),
    [shown, wanted, sentenceOf],
  );
  // Reports of working agents are not folded during a search, so that each match has its own row.
  const rows = useMemo(() => (wanted === '' ? foldTools(found) : found.map((event) => ({ event }))), [found, wanted]);
  const row = (event: Event) => (
    <EventRow
      key={event.seq}
      event={event}
      sentence={sentenceOf(event)}
      isOpen={open.has(event.seq)}
      onToggle={onToggle}
    />
  );
  if (found.length === 0)
    return shown.length === 0 ? (
      <Empty title="No events">No events match these filters.</Empty>
    ) : (
      <Empty title="No matches">
        None of the {shown.length} loaded events contains “{search}”.
      </Empty>
    );
  return (
    <Panel className="pb-1.5">
      <ol aria-label="Events, newest first" className="divide-y divide-line/60">
        {rows.map((each, index) => (
          <Fragment key={lastIn(each).seq}>
            {dayOf(each) !== dayOf(rows[index - 1]) && <Day at={lastIn(each).at} />}
            {'event' in each ? (
              row(each.event)
            ) : (
              <FoldedRow at={lastIn(each).at} summary={sumUp(each.folded, labelOf)} count={each.folded.length}>
                {() => each.folded.map(row)}
              </FoldedRow>
            )}
          </Fragment>
        ))}
      </ol>
    </Panel>
  );
}

/**
 * Returns the oldest event of a row. The oldest event identifies the row, because only newer events can join the row.
 */
const lastIn = (row: LogRow): Event => ('event' in row ? row.event : (row.folded.at(-1) as Event));
const dayOf = (row: LogRow | undefined): string => (row === undefined ? '' : new Date(lastIn(row).at).toDateString());
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

/** Shows the date as a heading between events of two different days. */
const Day = ({ at }: { readonly at: string }) => (
  <li className="bg-sunken px-3 py-1 text-sm font-semibold text-muted first:rounded-t-xl md:px-5">
    {dayFormat.format(new Date(at))}
  </li>
);

const isFound = (event: Event, sentence: string, wanted: string): boolean =>
  `${sentence} ${event.type} ${JSON.stringify(event.data)}`.toLowerCase().includes(wanted);

/**
 * Returns two functions. `sentenceOf` returns the sentence that describes an event, with the agent's name added.
 * `labelOf` returns the name of an agent. The functions stay the same until a name changes, so that rows are not
 * rendered without need.
 */
function useSentences(): {
  readonly sentenceOf: (event: Event) => string;
  readonly labelOf: (agentId: number) => string | undefined;
} {
  const { data: agents = [] } = useQuery(agentsQuery);
  const names = JSON.stringify(agents.map(({ id, label }) => [id, label]));
  return useMemo(() => {
    const labels = new Map(JSON.parse(names) as [number, string][]);
    const told = new WeakMap<Event, string>();
    const sentenceOf = (event: Event): string => {
      const known = told.get(event) ?? withLabel(event, labels.get(event.agent_id ?? -1));
      told.set(event, known);
      return known;
    };
    return { sentenceOf, labelOf: (agentId) => labels.get(agentId) };
  }, [names]);
}

function Older({
  log,
  isLoading,
  onLoad,
}: {
  readonly log: EventLog;
  readonly isLoading: boolean;
  readonly onLoad: () => void;
}) {
  if (log.shown.length === 0) return null;
  if (!log.hasOlder) return <p className="mt-4 text-center text-sm text-muted">Start of log</p>;
  if (isFull(log))
    return (
      <p className="mt-4 text-center text-sm text-muted">
        Showing {log.shown.length} events, the maximum. Use a filter to find older ones.
      </p>
    );
  return (
    <div className="mt-4 flex justify-center">
      <Button busy={isLoading} onClick={onLoad}>
        Load older events
      </Button>
    </div>
  );
}
