import type { ServerResponse } from 'node:http';
import type { Store } from '../../../app/ports/store.ts';
import { viewEvent } from '../agents/views.ts';
import { createStreams, frameOf, type Streams } from '../server/streams.ts';

const PAGE = 200;

/**
 * Sends the log as server-sent events. For each client the server keeps only a position in the log, so no queue grows
 * for a slow client. After a lost connection, a client continues after the last event that it received.
 */
export interface EventStreams extends Pick<Streams, 'closeFor' | 'closeAll'> {
  /** Opens a stream, and returns true. If too many streams are open, returns false and does not answer the request. */
  open(response: ServerResponse, afterSeq: number, session?: string): boolean;
}

export function createEventStreams(store: Store, nowMs: () => number): EventStreams {
  const { open, resumeAll, closeFor, closeAll } = createStreams(nowMs);
  store.onCommit(resumeAll);
  return {
    open: (response, afterSeq, session) =>
      open(response, session, (reader) => {
        let seq = afterSeq;
        const resume = (): void => {
          while (!reader.isFull()) {
            const events = store.read((tx) => tx.eventsAfter(seq, PAGE)).map(viewEvent);
            const last = events.at(-1);
            if (last === undefined) return;
            seq = last.seq;
            reader.write(events.map((event) => frameOf(event.type, event, event.seq)).join(''));
          }
        };
        return { resume, stop: () => undefined };
      }),
    closeFor,
    closeAll,
  };
}
