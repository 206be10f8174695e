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
  /** Sends a message to the other tabs if this tab reads the stream. */
  readonly tell: (tale: Tale) => void;
  /** Asks the other tabs for the state of the connection to the server; called by a new tab. */
  readonly greet: () => void;
  /**
   * Waits until no other tab reads the stream, and then runs `work`. Does not run `work` if the signal `over` aborts
   * the wait.
   */
  readonly read: (over: AbortSignal, work: () => Promise<void>) => Promise<void>;
  readonly close: () => void;
}

const NAME = 'baton-live';

/**
 * Lets one tab of a browser read the event stream for all tabs. A browser opens at most six connections to an address,
 * so with a stream in every tab a few tabs would leave no connection for requests. When the reading tab closes, another
 * tab takes over.
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
    // Handle one message after another. If two messages were handled at the same time, each would fetch the same
    // missing events.
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
      // Let every tab read the stream itself if the browser offers no locks. Browsers offer locks only in secure
      // contexts.
      if (navigator.locks === undefined) return turn();
      await navigator.locks.request(NAME, { signal: over }, turn).catch((error: unknown) => {
        if (!over.aborted) throw error;
      });
    },
    close: () => channel.close(),
  };
}
