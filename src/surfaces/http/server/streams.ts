import type { ServerResponse } from 'node:http';
import { beginStream } from './answer.ts';

const HEARTBEAT_MS = 15_000;
const MAX_STREAMS = 64;
/**
 * How long a stream waits for a reader that accepts no data. After this time the reader counts as gone, even if its
 * socket is still open.
 */
const STALLED_MS = 30_000;

/** The open streams of one kind, such as the streams of agents' screens. Each stream carries server-sent events. */
export interface Streams {
  /**
   * Opens a stream, and returns true. If too many streams are open, returns false and does not answer the request.
   * `session` is the login session of the page that reads the stream.
   */
  open(response: ServerResponse, session: string | undefined, begin: (reader: StreamReader) => StreamSource): boolean;
  /** Makes every stream send the data that is new since its last write. */
  resumeAll(): void;
  /** Closes the streams of the given page sessions, which have been logged out. */
  closeFor(sessions: readonly string[]): void;
  closeAll(): void;
}

/** The reader of a stream. A source writes its data to the reader. */
export interface StreamReader {
  /** True while the socket accepts no more data. While this is so, the source must wait until `resume` is called. */
  isFull(): boolean;
  write(frames: string): void;
  end(lastFrame: string): void;
}

/** A source that writes the data of a stream to its reader. */
export interface StreamSource {
  /**
   * Writes the data that the reader lacks. Called when the stream begins, when the socket accepts data again, and by
   * `resumeAll`.
   */
  resume(): void;
  stop(): void;
}

interface Stream {
  readonly response: ServerResponse;
  readonly session: string | undefined;
  /** The time when the socket stopped accepting data; null while the socket accepts data. */
  fullSince: number | null;
  source: StreamSource;
}

const NOT_BEGUN: StreamSource = { resume: () => undefined, stop: () => undefined };

export function createStreams(nowMs: () => number): Streams {
  const streams = new Set<Stream>();
  const readerOf = (stream: Stream): StreamReader => ({
    isFull: () => stream.fullSince !== null,
    write: (frames) => {
      // Do not write to a response that has ended, for example because the server is closing. The write would crash the
      // process.
      if (!stream.response.writableEnded && !stream.response.write(frames)) stream.fullSince = nowMs();
    },
    end: (lastFrame) => stream.response.end(lastFrame),
  });
  const remove = (stream: Stream): void => {
    streams.delete(stream);
    stream.source.stop();
  };
  const beat = (): void => {
    for (const { response, fullSince } of streams) {
      if (response.writableEnded) continue;
      if (fullSince === null) response.write(': still here\n\n');
      else if (nowMs() - fullSince > STALLED_MS) response.destroy();
    }
  };
  setInterval(beat, HEARTBEAT_MS).unref();

  return {
    open: (response, session, begin) => {
      // Open no stream if the client has already left. The response would emit no 'close' event, so the stream would
      // never be removed.
      if (response.destroyed) return true;
      if (streams.size >= MAX_STREAMS) return false;
      const stream: Stream = { response, session, fullSince: null, source: NOT_BEGUN };
      streams.add(stream);
      response.on('close', () => remove(stream));
      response.on('drain', () => {
        stream.fullSince = null;
        if (streams.has(stream)) stream.source.resume();
      });
      beginStream(response);
      response.write(': open\n\n');
      stream.source = begin(readerOf(stream));
      stream.source.resume();
      return true;
    },
    resumeAll: () => {
      for (const { source } of streams) source.resume();
    },
    closeFor: (sessions) => {
      for (const stream of streams) {
        if (stream.session === undefined || !sessions.includes(stream.session)) continue;
        // Remove the stream at once, so that no more data is written to the logged-out page before the socket closes.
        remove(stream);
        if (stream.fullSince === null) stream.response.end();
        else stream.response.destroy();
      }
    },
    closeAll: () => {
      for (const { response } of streams) response.end();
    },
  };
}

/**
 * Returns one server-sent event as text. If the event has an id, a client that loses the connection resumes after this
 * event.
 */
export const frameOf = (event: string, data: unknown, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
