import type { ServerResponse } from 'node:http';
import type { ScreenWatch } from '../../../app/engine/watch-screens.ts';
import { createStreams, frameOf, type Streams } from '../server/streams.ts';
import { viewRefusal, viewScreen } from './views.ts';

/** Streams an agent's screen as server-sent events. A slow reader skips to the newest screen, so no queue builds up. */
export interface ScreenStreams extends Pick<Streams, 'closeFor' | 'closeAll'> {
  /** Opens a stream, and returns true. If too many streams are open, returns false and does not answer the request. */
  open(response: ServerResponse, agentId: number, session?: string): boolean;
}

export function createScreenStreams(screens: ScreenWatch, nowMs: () => number): ScreenStreams {
  const { open, closeFor, closeAll } = createStreams(nowMs);
  return {
    open: (response, agentId, session) =>
      open(response, session, (reader) => {
        /** The newest screen if it was not sent yet, otherwise undefined. */
        let newest: string | undefined;
        const resume = (): void => {
          const frame = newest;
          if (frame === undefined || reader.isFull()) return;
          newest = undefined;
          reader.write(frame);
        };
        const stop = screens.watch(agentId, {
          onScreen: (shown) => {
            newest = frameOf('screen', viewScreen(shown));
            resume();
          },
          onGone: (why) => reader.end(frameOf('gone', viewRefusal(why))),
        });
        return { resume, stop };
      }),
    closeFor,
    closeAll,
  };
}
