import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { Event } from '../../../contract/resources.ts';
import { refresherOf } from '../api/queries.ts';
import { type LiveFeed, type LiveState, startLiveFeed } from './live-feed.ts';

const Feed = createContext<LiveFeed | null>(null);

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [feed, setFeed] = useState<LiveFeed | null>(null);
  useEffect(() => {
    const started = startLiveFeed(refresherOf(client));
    setFeed(started);
    return () => started.stop();
  }, [client]);
  return feed === null ? null : <Feed value={feed}>{children}</Feed>;
}

/** Calls `take` with each new event from now on, without rendering the component again. */
export function useNewEvents(take: (events: readonly Event[]) => void): void {
  const feed = useContext(Feed);
  useEffect(() => {
    let seen = feed?.state().lastSeq ?? 0;
    return feed?.subscribe(() => {
      const { recent, lastSeq } = feed.state();
      const fresh = recent.filter(({ seq }) => seq > seen);
      seen = lastSeq;
      if (fresh.length > 0) take(fresh);
    });
  }, [feed, take]);
}

/** Returns a part of the live state. The component rerenders only when that part changes. */
export function useLive<T>(select: (state: LiveState) => T): T {
  const feed = useContext(Feed);
  if (feed === null) throw new Error('useLive outside of LiveProvider');
  return useSyncExternalStore(feed.subscribe, () => select(feed.state()));
}
