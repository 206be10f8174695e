import { useQuery } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Event } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { get } from '../api/call.ts';
import { useLive } from '../live/live-context.tsx';
import { useAction } from '../parts/use-action.ts';
import { type EventFilter, eventsQueryString, isWanted } from './event-kinds.ts';
import { begun, type EventLog, hasGap, revealed, withLive, withOlder } from './event-log.ts';

const PAGE = 100;
/**
 * Lets a running request finish even if new events arrive. By default, each new event would restart the request, and
 * during many events the page would never get an answer.
 */
const UNLESS_ASKED = { cancelRefetch: false };

const ask = async (filter: EventFilter, before?: number): Promise<readonly Event[]> =>
  (await get<{ events: Event[] }>(`${PATHS.events}?${eventsQueryString(filter, PAGE, before)}`)).events;

export interface ShownLog {
  /** The events of the log; undefined until the server has answered for the first time. */
  readonly log: EventLog | undefined;
  readonly error: unknown;
  /** The number of new events that are not shown yet; infinite if the live feed dropped some of them. */
  readonly newCount: number;
  readonly reveal: () => void;
  readonly loadOlder: () => void;
  readonly isLoading: boolean;
}

/**
 * Returns the newest events that a filter selects, and keeps them up to date from the live feed. Older events are
 * loaded on request.
 */
export function useEventLog(filter: EventFilter, isReading: RefObject<boolean>): ShownLog {
  const recent = useLive((live) => live.recent);
  const lastSeq = useLive((live) => live.lastSeq);
  const newestSeq = useRef(lastSeq);
  newestSeq.current = lastSeq;
  const [log, setLog] = useState<EventLog>();

  const first = useQuery({
    queryKey: ['events', filter],
    // Do not cache the answer. Later events come from the live feed, and the page fetches all events again when it is
    // reopened.
    staleTime: 0,
    gcTime: 0,
    refetchOnReconnect: false,
    queryFn: async () => {
      const askedAt = newestSeq.current;
      return begun(await ask(filter), askedAt, PAGE);
    },
  });
  useEffect(() => setLog(first.data), [first.data]);

  const isMissing = log !== undefined && hasGap(log, recent);
  const missing = useRef(isMissing);
  missing.current = isMissing;
  const { refetch } = first;
  useEffect(() => {
    if (isMissing && !isReading.current) void refetch(UNLESS_ASKED);
    if (!isMissing)
      setLog(
        (known) =>
          known &&
          withLive(known, recent, { isReading: isReading.current, isWanted: (event) => isWanted(filter, event) }),
      );
  }, [recent, isMissing, refetch, filter, isReading]);

  const older = useAction(async (before: number) => {
    const events = await ask(filter, before);
    setLog((known) => known && withOlder(known, events, PAGE));
    return undefined;
  });
  const oldest = log?.shown.at(-1)?.seq;
  return {
    log,
    error: first.error,
    newCount: isMissing ? Number.POSITIVE_INFINITY : (log?.heldCount ?? 0),
    reveal: useCallback(() => {
      if (missing.current) void refetch(UNLESS_ASKED);
      else setLog((known) => known && revealed(known));
    }, [refetch]),
    loadOlder: () => {
      if (oldest !== undefined) void older.run(oldest);
    },
    isLoading: older.busy,
  };
}
