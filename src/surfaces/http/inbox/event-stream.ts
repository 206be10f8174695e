import type { ServerResponse } from 'node:http';
import type { Store } from '../../../app/ports/store.ts';
import { viewEvent } from '../agents/views.ts';
import { createStreams, frameOf, type Streams } from '../server/streams.ts';

const PAGE = 200;

/**
 * Sends the log as server-sent events. The server keeps only a position in the log for each client, so a slow client
 * causes no growing queue. After a lost connection, the client continues after the last id that it received.
 */
export interface EventStreams extends Pick<Streams, 'closeFor' | 'closeAll'> {
  /** Opens a stream. If too many streams are open, returns false and leaves the request unanswered. */
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
