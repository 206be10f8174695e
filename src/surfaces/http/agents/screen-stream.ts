import type { ServerResponse } from 'node:http';
import type { ScreenWatch } from '../../../app/engine/watch-screens.ts';
import { beginStream } from '../server/answer.ts';
import { viewRefusal, viewScreen } from './views.ts';

const HEARTBEAT_MS = 15_000;
const MAX_STREAMS = 64;
/** A reader that takes nothing for this long is gone, whatever its socket says. */
const STALLED_MS = 30_000;

/** An agent's screen as server-sent events. Whoever reads slowly gets the newest screen next: nothing queues up. */
export interface ScreenStreams {
  /** false: too many streams are open, nothing was answered. */
  open(response: ServerResponse, agentId: number, session?: string): boolean;
  /** What pages have open that are logged out. */
  closeFor(sessions: readonly string[]): void;
  closeAll(): void;
}

interface Stream {
  readonly response: ServerResponse;
  /** Of the page that reads it; undefined with the operator's own token. */
  readonly session: string | undefined;
  /** Ends its looks. */
  stop: () => void;
  /** Since when the socket has not taken anything. */
  fullSince: number | null;
  /** What it will take next. */
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
      // Whoever left while the first look was made has been closed already: nobody would ever take it from the list.
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
        // At once: a screen that changes before the socket is closed is not for this page any more.
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
