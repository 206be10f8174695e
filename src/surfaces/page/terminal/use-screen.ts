import { useEffect, useState } from 'react';
import type { ErrorBody, ScreenView } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { openStream, sentenceOf } from '../api/call.ts';
import { readEvents } from '../live/read-events.ts';

const AGAIN_MS = 2_000;

export interface Shown {
  readonly screen: ScreenView | null;
  readonly problem: string | null;
}

/** Streams the agent's screen for as long as this page shows it. */
export function useScreen(agentId: number): Shown {
  const [shown, setShown] = useState<Shown>({ screen: null, problem: null });
  useEffect(() => {
    let over = new AbortController();
    // Close the stream while the page is in the background, because a browser opens only a few connections to one
    // server.
    const onVisibility = (): void => {
      over.abort();
      over = new AbortController();
      if (!document.hidden) void follow(agentId, over.signal, setShown);
    };
    onVisibility();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      over.abort();
    };
  }, [agentId]);
  return shown;
}

/**
 * Returns the new state of the view after a frame of the stream. If the agent has ended, the last frame contains the
 * reason, and the view keeps the last screen.
 */
const shownBy = (frame: ScreenView | ErrorBody, before: ScreenView | null): Shown =>
  'lines' in frame ? { screen: frame, problem: null } : { screen: before, problem: frame.error };

async function follow(
  agentId: number,
  signal: AbortSignal,
  show: (change: (before: Shown) => Shown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const frames of readEvents<ScreenView | ErrorBody>(await openStream(PATHS.screen(agentId), signal))) {
        const last = frames.at(-1);
        if (last !== undefined) show(({ screen }) => shownBy(last, screen));
      }
    } catch (error) {
      if (signal.aborted) return;
      show(({ screen }) => ({ screen, problem: sentenceOf(error) }));
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
