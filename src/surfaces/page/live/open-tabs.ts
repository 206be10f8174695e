import type { Event } from '../../../contract/resources.ts';
import type { Link } from './link.ts';

type Tale =
  | { readonly kind: 'events'; readonly events: readonly Event[] }
  | { readonly kind: 'link'; readonly link: Link }
  | { readonly kind: 'hello' };

export interface Tab {
  readonly link: () => Link;
  readonly onEvents: (events: readonly Event[]) => Promise<void>;
  readonly onLink: (link: Link) => void;
}

export interface Tabs {
  /** To the other tabs, if this one reads for all. */
  readonly tell: (tale: Tale) => void;
  /** A new tab asks how the link is. */
  readonly greet: () => void;
  /** Waits until it is this tab's turn to read for all, and reads until it ends or is stopped. */
  readonly read: (over: AbortSignal, work: () => Promise<void>) => Promise<void>;
  readonly close: () => void;
}

const NAME = 'baton-live';

/**
 * One tab of a browser reads the event stream for all of them: a browser opens six connections to an address and no more,
 * so a handful of tabs with a stream each would leave none for anything else. When that tab goes, the next one reads on.
 */
export function openTabs(tab: Tab): Tabs {
  const channel = new BroadcastChannel(NAME);
  let reads = false;
  let last = Promise.resolve();
  channel.onmessage = ({ data }: MessageEvent<Tale>) => {
    if (data.kind === 'hello') {
      if (reads) channel.postMessage({ kind: 'link', link: tab.link() } satisfies Tale);
    } else if (reads) return;
    else if (data.kind === 'link') tab.onLink(data.link);
    // One after the other, or a gap would be asked for twice.
    else last = last.then(() => tab.onEvents(data.events)).catch(() => undefined);
  };
  return {
    tell: (tale) => {
      if (reads) channel.postMessage(tale);
    },
    greet: () => channel.postMessage({ kind: 'hello' } satisfies Tale),
    read: async (over, work) => {
      const turn = async (): Promise<void> => {
        reads = true;
        await work().finally(() => {
          reads = false;
        });
      };
      // Only pages of a trustworthy address have locks; others read for themselves.
      if (navigator.locks === undefined) return turn();
      await navigator.locks.request(NAME, { signal: over }, turn).catch((error: unknown) => {
        if (!over.aborted) throw error;
      });
    },
    close: () => channel.close(),
  };
}
