import type { ServerResponse } from 'node:http';
import { beginStream } from './answer.ts';

const HEARTBEAT_MS = 15_000;
const MAX_STREAMS = 64;
/** A reader that takes nothing for this long is gone, whatever its socket says. */
const STALLED_MS = 30_000;

/** The open streams of one kind, as server-sent events. */
export interface Streams {
  /** Returns false, without answering, if too many streams are open. `session` is the page session that reads it. */
  open(response: ServerResponse, session: string | undefined, begin: (reader: StreamReader) => StreamSource): boolean;
  /** Lets every source write what is new. */
  resumeAll(): void;
  /** Closes the streams of these logged-out page sessions. */
  closeFor(sessions: readonly string[]): void;
  closeAll(): void;
}

/** The reader's end of a stream, for the source. */
export interface StreamReader {
  /** The socket takes no more for now; `resume` of the source follows when it does. Nothing may be written before. */
  isFull(): boolean;
  write(frames: string): void;
  end(lastFrame: string): void;
}

/** The origin of a stream's data. */
export interface StreamSource {
  /** Writes what the reader has not had yet: called at the start, when the socket takes data again, by `resumeAll`. */
  resume(): void;
  stop(): void;
}

interface Stream {
  readonly response: ServerResponse;
  readonly session: string | undefined;
  /** When the socket stopped taking data; null while it takes them. */
  fullSince: number | null;
  source: StreamSource;
}

const NOT_BEGUN: StreamSource = { resume: () => undefined, stop: () => undefined };

export function createStreams(nowMs: () => number): Streams {
  const streams = new Set<Stream>();
  const readerOf = (stream: Stream): StreamReader => ({
    isFull: () => stream.fullSince !== null,
    write: (frames) => {
      if (!stream.response.write(frames)) stream.fullSince = nowMs();
    },
    end: (lastFrame) => stream.response.end(lastFrame),
  });
  const remove = (stream: Stream): void => {
    streams.delete(stream);
    stream.source.stop();
  };
  const beat = (): void => {
    for (const { response, fullSince } of streams) {
      if (fullSince === null) response.write(': still here\n\n');
      else if (nowMs() - fullSince > STALLED_MS) response.destroy();
    }
  };
  setInterval(beat, HEARTBEAT_MS).unref();

  return {
    open: (response, session, begin) => {
      // A client that left while its request was answered has had its 'close' event, so nothing would remove its stream.
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
        // Remove the stream at once: data that come before the socket closes must not reach a logged-out page.
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

/** One server-sent event. With an id, a lost connection resumes behind it. */
export const frameOf = (event: string, data: unknown, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
