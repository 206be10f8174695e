import type { Event } from '../../../contract/resources.ts';

/** The events on the page, and new events that are held back while the operator reads. */
export interface EventLog {
  /** The shown events, newest first. */
  readonly shown: readonly Event[];
  /**
   * New events that are not shown yet, newest first. The log holds them back, so that no row moves while the operator
   * reads.
   */
  readonly held: readonly Event[];
  /**
   * The number of new events that are not shown yet. `held` may contain fewer events, because the log drops the oldest
   * events in `held`.
   */
  readonly heldCount: number;
  /** The sequence number of the newest event that this log has processed. */
  readonly seenSeq: number;
  readonly hasOlder: boolean;
}

/**
 * The maximum number of rows while the operator has loaded no older rows: more than anyone reads, and few enough to
 * draw ten times a second.
 */
export const MAX_LIVE_ROWS = 400;
/** The maximum number of rows, including older rows that the operator loaded. */
const MAX_ROWS = 2_000;

/**
 * Starts a log with the first events from the server. `askedAt` is the number of the last event that the live feed had
 * received when the request was sent. The server's answer covers all events up to this number, so only events with
 * higher numbers are new.
 */
export const begun = (events: readonly Event[], askedAt: number, limit: number): EventLog => ({
  shown: events,
  held: [],
  heldCount: 0,
  seenSeq: Math.max(askedAt, events[0]?.seq ?? 0),
  hasOlder: events.length >= limit,
});

/** True if some events between this log and the live feed are missing. The live feed keeps only the latest events. */
export const hasGap = ({ seenSeq }: EventLog, recent: readonly Event[]): boolean => {
  const oldest = recent[0];
  return oldest !== undefined && oldest.seq > seenSeq + 1;
};

/** Returns the log with the new events of the live feed. Returns `log` itself if there are no new events. */
export function withLive(
  log: EventLog,
  recent: readonly Event[],
  { isReading, isWanted }: { readonly isReading: boolean; readonly isWanted: (event: Event) => boolean },
): EventLog {
  const last = recent.at(-1)?.seq ?? 0;
  if (last <= log.seenSeq) return log;
  const fresh = recent.filter((event) => event.seq > log.seenSeq && isWanted(event)).reverse();
  const seen = { ...log, seenSeq: last };
  if (fresh.length === 0) return seen;
  const held = {
    ...seen,
    held: [...fresh, ...log.held].slice(0, MAX_LIVE_ROWS),
    heldCount: log.heldCount + fresh.length,
  };
  return isReading ? held : revealed(held);
}

/**
 * Shows the events that were held back. If the log had to drop some of these events, the rest of them fill all
 * MAX_LIVE_ROWS rows. All older rows then disappear, so the list has no gap.
 */
export function revealed(log: EventLog): EventLog {
  if (log.heldCount === 0) return log;
  const all = [...log.held, ...log.shown];
  const shown = all.slice(0, MAX_LIVE_ROWS);
  return { ...log, shown, held: [], heldCount: 0, hasOlder: log.hasOlder || shown.length < all.length };
}

export const withOlder = (log: EventLog, older: readonly Event[], limit: number): EventLog => {
  const oldest = log.shown.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
  const shown = [...log.shown, ...older.filter(({ seq }) => seq < oldest)];
  return { ...log, shown: shown.slice(0, MAX_ROWS), hasOlder: older.length >= limit };
};

export const isFull = ({ shown }: EventLog): boolean => shown.length >= MAX_ROWS;
