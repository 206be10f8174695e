import type { ServerResponse } from 'node:http';
import type { Store } from '../../../app/ports/store.ts';
import { viewEvent } from '../agents/views.ts';
import { beginStream } from '../server/answer.ts';

const PAGE = 200;
const HEARTBEAT_MS = 15_000;
const MAX_STREAMS = 64;
/** A reader that takes nothing for this long is gone, whatever its socket says. */
const STALLED_MS = 30_000;

/**
 * Server-sent events straight from the log. A client that reads slowly is simply further back in the log, so no queue
 * grows for it, and a lost connection resumes from its last id.
 */
export interface EventStreams {
  /** Returns false, without answering, if too many streams are open. */
  open(response: ServerResponse, afterSeq: number, session?: string): boolean;
  /** Closes the streams of these logged-out page sessions. */
  closeFor(sessions: readonly string[]): void;
  closeAll(): void;
}

interface Stream {
  readonly response: ServerResponse;
  /** The page session that reads it; undefined for the operator's own token. */
  readonly session: string | undefined;
  seq: number;
  /** When the socket stopped taking data; null while it takes them. */
  fullSince: number | null;
}

export function createEventStreams(store: Store, nowMs: () => number): EventStreams {
  const streams = new Set<Stream>();
  const pump = (stream: Stream): void => {
    while (stream.fullSince === null) {
      const events = store.read((tx) => tx.eventsAfter(stream.seq, PAGE)).map(viewEvent);
      const last = events.at(-1);
      if (last === undefined) return;
      stream.seq = last.seq;
      const frames = events.map(
        (event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      );
      if (!stream.response.write(frames.join(''))) stream.fullSince = nowMs();
    }
  };
  const beat = (): void => {
    for (const stream of streams) {
      if (stream.fullSince === null) stream.response.write(': still here\n\n');
      else if (nowMs() - stream.fullSince > STALLED_MS) stream.response.destroy();
    }
  };
  store.onCommit(() => {
    for (const stream of streams) pump(stream);
  });
  setInterval(beat, HEARTBEAT_MS).unref();

  return {
    open: (response, afterSeq, session) => {
      if (streams.size >= MAX_STREAMS) return false;
      const stream: Stream = { response, session, seq: afterSeq, fullSince: null };
      streams.add(stream);
      response.on('close', () => streams.delete(stream));
      response.on('drain', () => {
        stream.fullSince = null;
        if (streams.has(stream)) pump(stream);
      });
      beginStream(response);
      response.write(': open\n\n');
      pump(stream);
      return true;
    },
    closeFor: (sessions) => {
      for (const stream of streams) {
        if (stream.session === undefined || !sessions.includes(stream.session)) continue;
        // Remove the stream at once: an event that comes before the socket closes must not reach a logged-out page.
        streams.delete(stream);
        if (stream.fullSince === null) stream.response.end();
        else stream.response.destroy();
      }
    },
    closeAll: () => {
      for (const { response } of streams) response.end();
    },
  };
}
