import type { ServerResponse } from 'node:http';
import type { ScreenWatch } from '../../app/watch-screens.ts';
import { beginStream } from './answer.ts';
import { viewRefusal, viewScreen } from './views.ts';

const HEARTBEAT_MS = 15_000;
const MOST_STREAMS = 64;
/** A reader that takes nothing for this long is gone, whatever its socket says. */
const STALLED_MS = 30_000;

/** An agent's screen as server-sent events. Whoever reads slowly gets the newest screen next: nothing queues up. */
export interface ScreenStreams {
  /** false: too many streams are open, nothing was answered. */
  open(response: ServerResponse, agentId: number): boolean;
  closeAll(): void;
}

interface Stream {
  readonly response: ServerResponse;
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
    open: (response, agentId) => {
      if (streams.size >= MOST_STREAMS) return false;
      const stream: Stream = { response, fullSince: null, newest: undefined };
      streams.add(stream);
      beginStream(response);
      response.write(': open\n\n');
      const stop = screens.watch(agentId, {
        onScreen: (shown) => put(stream, frameOf('screen', viewScreen(shown))),
        onGone: (why) => response.end(frameOf('gone', viewRefusal(why))),
      });
      response.on('close', () => {
        streams.delete(stream);
        stop();
      });
      response.on('drain', () => {
        const { newest } = stream;
        stream.fullSince = null;
        stream.newest = undefined;
        if (newest !== undefined) put(stream, newest);
      });
      return true;
    },
    closeAll: () => {
      for (const { response } of streams) response.end();
    },
  };
}

const frameOf = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
