import type { Event, Health } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { get, openStream, Refused, sentenceOf } from '../api/call.ts';
import { forgetToken, readToken } from '../api/token.ts';
import type { Link } from './link.ts';
import { openTabs } from './open-tabs.ts';
import { readEvents } from './read-events.ts';
import { type Changes, isNothing, NOTHING_CHANGED, whatChanged } from './what-changed.ts';

export interface LiveState extends Link {
  readonly lastSeq: number;
  /** How many events this page has applied to its data so far. */
  readonly applied: number;
  /** The latest events, oldest first. */
  readonly recent: readonly Event[];
}

export interface LiveFeed {
  readonly state: () => LiveState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly stop: () => void;
}

export interface Refresher {
  /**
   * Refetches the data that has changed. If the refetch fails, the feed calls this function again with the same
   * changes.
   */
  readonly some: (changes: Changes) => Promise<void>;
  /** Refetches the data of everything that the page shows. */
  readonly all: () => Promise<void>;
}

const FLUSH_MS = 100;
/** The minimum pause between two rounds of refetching, even if many events arrive. */
const REFRESH_MS = 250;
const KEPT = 500;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 5_000;
const SILENCE_MS = 40_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function startLiveFeed(refresher: Refresher): LiveFeed {
  let state: LiveState = { status: 'connecting', since: null, problem: null, lastSeq: -1, applied: 0, recent: [] };
  const listeners = new Set<() => void>();
  const over = new AbortController();
  let waiting: Event[] = [];
  let changes = NOTHING_CHANGED;
  let refreshing = false;
  let isFlushDue = false;

  const set = (patch: Partial<LiveState>): void => {
    state = { ...state, ...patch };
    for (const listener of listeners) listener();
  };

  const flush = (): void => {
    isFlushDue = false;
    const events = waiting;
    waiting = [];
    changes = whatChanged(changes, events);
    const recent = [...state.recent, ...events].slice(-KEPT);
    set({ lastSeq: events.at(-1)?.seq ?? state.lastSeq, applied: state.applied + events.length, recent });
    if (!refreshing) void refresh();
  };

  const refresh = async (): Promise<void> => {
    refreshing = true;
    while (!isNothing(changes) && !over.signal.aborted) {
      const asked = changes;
      changes = NOTHING_CHANGED;
      await refresher.some(asked).catch(() => {
        changes = merge(asked, changes);
      });
      await pause(REFRESH_MS);
    }
    refreshing = false;
  };

  const take = (events: readonly Event[]): void => {
    if (events.length === 0) return;
    waiting.push(...events);
    if (isFlushDue) return;
    isFlushDue = true;
    setTimeout(flush, FLUSH_MS);
  };

  const known = (): number => waiting.at(-1)?.seq ?? state.lastSeq;

  /**
   * Returns the number of the last event that the page's data already covers. The page then follows the later events.
   * At the first connection, reads this number before it fetches all data, so that no event during the fetch is missed.
   */
  const begin = async (): Promise<number> => {
    const { last_seq } = await get<Health>(PATHS.health, over.signal);
    if (known() >= 0 && last_seq >= known()) return known();
    // Fetch everything, because this is the first connection or because the log was replaced, for example by restoring
    // a backup.
    waiting = [];
    set({ lastSeq: last_seq });
    await refresher.all();
    return last_seq;
  };

  const tabs = openTabs({
    link: () => link(state),
    /**
     * Receives events from the tab that reads the stream. If this tab missed earlier events, fetches all missing events
     * from the server instead.
     */
    onEvents: async (events) => {
      const fresh = events.filter(({ seq }) => seq > known());
      const [first] = fresh;
      if (first === undefined || state.lastSeq < 0) return;
      take(first.seq === known() + 1 ? fresh : await eventsAfter(known(), over.signal));
    },
    onLink: (told) => set(told),
  });

  const setLink = (told: Link): void => {
    set(told);
    tabs.tell({ kind: 'link', link: told });
  };

  const follow = async (): Promise<void> => {
    const after = await begin();
    const silence = watchSilence(over.signal);
    try {
      const body = await openStream(`${PATHS.events}?after=${after}`, silence.signal);
      setLink({ status: 'live', since: null, problem: null });
      for await (const events of readEvents(body)) {
        silence.broken();
        take(events);
        if (events.length > 0) tabs.tell({ kind: 'events', events });
      }
    } finally {
      silence.stop();
    }
  };

  /**
   * Repeats `work` until `work` returns 'done', until the feed is stopped, or until the server answers 401. Returns
   * true only after 'done'.
   */
  const keep = async (work: () => Promise<'done' | undefined>): Promise<boolean> => {
    let wait = FIRST_WAIT_MS;
    while (!over.signal.aborted) {
      let problem: string | null = null;
      const token = readToken();
      try {
        if ((await work()) === 'done') return true;
      } catch (error) {
        if (over.signal.aborted) return false;
        if (error instanceof Refused && error.status === 401 && readToken() === token) {
          // Forget the refused token, so that the page asks for a new login when it is loaded again. If another tab has
          // logged in meanwhile, the stored token is a new one, and is kept.
          forgetToken();
          set({ status: 'logged_out' });
          return false;
        }
        // Do not show the browser's own message about a broken stream, such as "network error".
        problem = error instanceof TypeError ? null : sentenceOf(error);
      }
      if (state.status === 'live') wait = FIRST_WAIT_MS;
      setLink({ status: 'cut_off', since: state.since ?? new Date().toISOString(), problem });
      await pause(wait);
      wait = Math.min(wait * 2, MAX_WAIT_MS);
    }
    return false;
  };

  const run = async (): Promise<void> => {
    const hasPicture = await keep(async () => {
      await begin();
      return 'done';
    });
    if (!hasPicture) return;
    tabs.greet();
    await tabs.read(over.signal, async () => {
      await keep(async () => {
        await follow();
        return undefined;
      });
    });
  };

  void run();
  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => {
      over.abort();
      tabs.close();
    },
  };
}

const link = ({ status, since, problem }: LiveState): Link => ({ status, since, problem });

const eventsAfter = async (seq: number, signal: AbortSignal): Promise<readonly Event[]> =>
  (await get<{ events: Event[] }>(`${PATHS.events}?after=${seq}`, signal)).events;

/**
 * The maximum silence of the connection. The server sends a heartbeat every 15 s, so after a longer silence the
 * connection counts as dead, for example because the laptop slept.
 */
function watchSilence(over: AbortSignal) {
  const dead = new AbortController();
  const stop = (): void => dead.abort();
  over.addEventListener('abort', stop);
  let timer = setTimeout(stop, SILENCE_MS);
  return {
    signal: dead.signal,
    broken: () => {
      clearTimeout(timer);
      timer = setTimeout(stop, SILENCE_MS);
    },
    stop: () => {
      clearTimeout(timer);
      over.removeEventListener('abort', stop);
    },
  };
}

const merge = (one: Changes, other: Changes): Changes => ({
  agents: new Set([...one.agents, ...other.agents]),
  runs: new Set([...one.runs, ...other.runs]),
  packages: new Set([...one.packages, ...other.packages]),
  inbox: one.inbox || other.inbox,
  personas: one.personas || other.personas,
  projects: one.projects || other.projects,
  settings: one.settings || other.settings,
  candidates: one.candidates || other.candidates,
  worktrees: one.worktrees || other.worktrees,
  fleet: one.fleet || other.fleet,
});
