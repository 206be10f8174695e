import type { ServerResponse } from 'node:http';
import type { ScreenWatch } from '../../../app/engine/watch-screens.ts';
import { beginStream } from '../server/answer.ts';
import { viewRefusal, viewScreen } from './views.ts';

const HEARTBEAT_MS = 15_000;
const MAX_STREAMS = 64;
/** A reader that takes nothing for this long is gone, whatever its socket says. */
const STALLED_MS = 30_000;

/** An agent's screen as server-sent events. A slow reader skips to the newest screen, so no queue builds up. */
export interface ScreenStreams {
  /** Returns false, without answering, if too many streams are open. */
  open(response: ServerResponse, agentId: number, session?: string): boolean;
  /** Closes the streams of these logged-out page sessions. */
  closeFor(sessions: readonly string[]): void;
  closeAll(): void;
}

interface Stream {
  readonly response: ServerResponse;
  /** The page session that reads it; undefined for the operator's own token. */
  readonly session: string | undefined;
  /** Stops watching the screen. */
  stop: () => void;
  /** When the socket stopped taking data; null while it takes them. */
  fullSince: number | null;
  /** The newest frame, written when the socket drains. */
  newest: string | undefined;
}

export function createScreenStreams(screens: ScreenWatch, nowMs: () => number): ScreenStreams {
  const streams = new Set<Stream>();
  const put = (stream: Stream, frame: string): void => {
    if (stream.fullSince !== null) stream.newest = frame;
    else if (!stream.response.write(frame)) stream.fullSince = nowMs();
  };
  const beat = (): void => {
    for (const { response, fullSince } of streams) {
      if (fullSince === null) response.write(': still here\n\n');
      else if (nowMs() - fullSince > STALLED_MS) response.destroy();
    }
  };
  setInterval(beat, HEARTBEAT_MS).unref();

  return {
    open: (response, agentId, session) => {
      // A client that left during the first capture has had its 'close' event, so nothing would remove its stream.
      if (response.destroyed) return true;
      if (streams.size >= MAX_STREAMS) return false;
      const stream: Stream = { response, session, stop: () => undefined, fullSince: null, newest: undefined };
      streams.add(stream);
      beginStream(response);
      response.write(': open\n\n');
      stream.stop = screens.watch(agentId, {
        onScreen: (shown) => put(stream, frameOf('screen', viewScreen(shown))),
        onGone: (why) => response.end(frameOf('gone', viewRefusal(why))),
      });
      response.on('close', () => {
        streams.delete(stream);
        stream.stop();
      });
      response.on('drain', () => {
        const { newest } = stream;
        stream.fullSince = null;
        stream.newest = undefined;
        if (newest !== undefined) put(stream, newest);
      });
      return true;
    },
    closeFor: (sessions) => {
      for (const stream of streams) {
        if (stream.session === undefined || !sessions.includes(stream.session)) continue;
        // Remove the stream at once: a screen that changes before the socket closes must not reach a logged-out page.
        streams.delete(stream);
        stream.stop();
        if (stream.fullSince === null) stream.response.end();
        else stream.response.destroy();
      }
    },
    closeAll: () => {
      for (const { response } of streams) response.end();
    },
  };
}

const frameOf = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
