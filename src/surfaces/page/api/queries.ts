import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { PersonaKnowledge } from '../../../contract/knowledge.ts';
import type {
  Agent,
  AgentList,
  Candidate,
  Device,
  Event,
  HandoffDetail,
  HandoffSummary,
  Health,
  InboxHistory,
  InboxItem,
  Lineage,
  Persona,
  PersonaDetail,
  Project,
  Run,
  RunTexts,
  RuntimeInfo,
  SettingsView,
} from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { RunFilter } from '../handoffs/choose-runs.ts';
import type { Refresher } from '../live/live-feed.ts';
import type { Changes } from '../live/what-changed.ts';
import { ask, askAgent, askAgents, askRun } from './ask.ts';
import { get, Refused } from './call.ts';
import { machineOf } from './machine-clients.ts';

/** No answer becomes stale by age, because events say which data to refetch (live/live-feed.ts). */
const fresh = { staleTime: Number.POSITIVE_INFINITY } as const;

/** The cursor for the first page of a list. The first page has the newest rows. */
const NEWEST = null as number | null;

const olderThan = (cursor: number | null): string => (cursor === null ? '' : `&before=${cursor}`);

/**
 * Returns the number if it is valid. Throws otherwise, because the number comes from the page's address, which can
 * contain anything.
 */
function numberIn(id: number): number {
  if (!Number.isSafeInteger(id) || id < 1)
    throw new Error('Page not found: the address must contain a valid number, such as /agents/12.');
  return id;
}

/** The server's health is polled, because a failing store cannot write an event about its failure. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => get<Health>(PATHS.health, signal),
  refetchInterval: 30_000,
});

/** The live agents, and agents that ended while this page was open. */
export const agentsQuery = queryOptions({
  ...fresh,
  queryKey: ['agents'],
  queryFn: (from) => askAgents('live=1', from),
});

/** The ended and lost agents that the filter matches, newest first, one page at a time. */
export const endedAgentsQuery = (filter: { readonly q: string; readonly project: string; readonly persona: string }) =>
  infiniteQueryOptions({
    ...fresh,
    queryKey: ['ended-agents', filter],
    queryFn: async ({ pageParam, signal }) => {
      const given = Object.entries(filter).filter(([, value]) => value !== '');
      const query = new URLSearchParams([['state', 'ended,lost'], ['limit', '50'], ...given]);
      const { agents, next = null } = await get<AgentList>(`${PATHS.agents}?${query}${olderThan(pageParam)}`, signal);
      return { agents: agents.toReversed(), next };
    },
    initialPageParam: NEWEST,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });

/** The newest agents, live or ended, that match a search text. */
export const agentSearchQuery = (q: string) =>
  queryOptions({
    queryKey: ['agent-search', q],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ limit: '20', ...(q !== '' && { q }) });
      return (await get<AgentList>(`${PATHS.agents}?${query}`, signal)).agents.toReversed();
    },
    placeholderData: keepPreviousData,
  });

/** The query for one agent, live or ended. */
export const agentQuery = (id: number) =>
  queryOptions({
    ...fresh,
    queryKey: ['agent', id],
    queryFn: (from) => askAgent(numberIn(id), from),
  });

export const runsQuery = queryOptions({
  ...fresh,
  queryKey: ['runs'],
  queryFn: async (from) => (await ask<{ runs: Run[] }>(`${PATHS.runs}?limit=200`, from)).runs,
});

interface RunPage {
  readonly runs: Run[];
  readonly next: number | null;
}

export const runsInFlightQuery = queryOptions({
  ...fresh,
  queryKey: ['run-list', 'in flight'],
  queryFn: async ({ signal }) => (await get<RunPage>(`${PATHS.runs}?state=in_flight`, signal)).runs,
});

/** The handoffs of one state or of all states, newest first. */
export const runListQuery = (filter: RunFilter) =>
  infiniteQueryOptions({
    ...fresh,
    queryKey: ['run-list', 'pages', filter],
    queryFn: ({ pageParam, signal }) =>
      get<RunPage>(
        `${PATHS.runs}?limit=50${filter === 'all' ? '' : `&state=${filter}`}${olderThan(pageParam)}`,
        signal,
      ),
    initialPageParam: NEWEST,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });

export const runQuery = (id: number) =>
  queryOptions({ ...fresh, queryKey: ['run', id], queryFn: (from) => askRun(numberIn(id), from) });

export const runTextsQuery = (id: number) =>
  queryOptions({
    ...fresh,
    queryKey: ['run', id, 'texts'],
    queryFn: async (from) => (await ask<RunTexts>(PATHS.runTexts(id), from)).texts,
  });

export const runEventsQuery = (id: number) =>
  queryOptions({
    ...fresh,
    queryKey: ['run', id, 'events'],
    queryFn: async (from) => (await ask<{ events: Event[] }>(`${PATHS.events}?run=${id}`, from)).events,
  });

export const handoffQuery = (id: number) =>
  queryOptions({
    ...fresh,
    queryKey: ['handoff', id],
    queryFn: (from) => ask<HandoffDetail>(PATHS.handoffRecord(id), from),
  });

export const handoffsQuery = (slug: string) =>
  infiniteQueryOptions({
    ...fresh,
    queryKey: ['handoffs', slug],
    queryFn: ({ pageParam, signal }) =>
      get<{ handoffs: HandoffSummary[]; next: number | null }>(
        `${PATHS.handoffs}?persona=${slug}${olderThan(pageParam)}`,
        signal,
      ),
    initialPageParam: NEWEST,
    getNextPageParam: ({ next }) => next,
  });

export const inboxQuery = queryOptions({
  ...fresh,
  queryKey: ['inbox'],
  queryFn: async (from) => (await ask<{ items: InboxItem[] }>(PATHS.inbox, from)).items,
});

export const inboxHistoryQuery = infiniteQueryOptions({
  ...fresh,
  queryKey: ['inbox', 'history'],
  queryFn: ({ pageParam, signal }) =>
    get<InboxHistory>(`${PATHS.inboxHistory}?limit=50${olderThan(pageParam)}`, signal),
  initialPageParam: NEWEST,
  getNextPageParam: ({ next }) => next,
});

export const personasQuery = queryOptions({
  ...fresh,
  queryKey: ['personas'],
  queryFn: async (from) => (await ask<{ personas: Persona[] }>(PATHS.personas, from)).personas,
});

export const personaQuery = (slug: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['persona', slug],
    queryFn: ({ signal }) => get<PersonaDetail>(PATHS.persona(slug), signal),
  });

/** The open points and lessons of a persona. */
export const knowledgeQuery = (slug: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['knowledge', slug],
    queryFn: ({ signal }) => get<PersonaKnowledge>(PATHS.knowledge(slug), signal),
  });

export const lineageQuery = (slug: string) =>
  infiniteQueryOptions({
    ...fresh,
    queryKey: ['lineage', slug],
    queryFn: ({ pageParam, signal }) => get<Lineage>(`${PATHS.lineage(slug)}?limit=100${olderThan(pageParam)}`, signal),
    initialPageParam: NEWEST,
    getNextPageParam: ({ next }) => next,
  });

export const projectsQuery = queryOptions({
  ...fresh,
  queryKey: ['projects'],
  queryFn: async (from) => (await ask<{ projects: Project[] }>(PATHS.projects, from)).projects,
});

/** External sessions, which the operator started outside Baton. */
export const candidatesQuery = queryOptions({
  ...fresh,
  queryKey: ['candidates'],
  queryFn: async ({ signal }) => (await get<{ candidates: Candidate[] }>(PATHS.candidates, signal)).candidates,
});

/**
 * The agent types that this machine can start. The list is empty for another machine, because machines do not report
 * their agent types to each other.
 */
export const runtimesQuery = queryOptions({
  ...fresh,
  queryKey: ['runtimes'],
  queryFn: async ({ client, signal }) =>
    machineOf(client) === null ? (await get<{ runtimes: RuntimeInfo[] }>(PATHS.runtimes, signal)).runtimes : [],
});

/** The browsers that are signed in. The list is fetched at each visit, because no event reports a login. */
export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: async ({ signal }) => (await get<{ devices: Device[] }>(PATHS.devices, signal)).devices,
});

export const settingsQuery = queryOptions({
  ...fresh,
  queryKey: ['settings'],
  queryFn: ({ signal }) => get<SettingsView>(PATHS.settings, signal),
});

/** Returns the functions that the live feed calls to refetch changed data. */
export const refresherOf = (client: QueryClient): Refresher => ({
  all: () => askAgain(client, {}),
  some: async (changes) => {
    await Promise.all([
      refreshAgents(client, changes),
      refreshRuns(client, changes),
      refreshPackages(client, changes),
      refreshFlags(client, changes),
    ]);
  },
});

const MAX_IDS = 100;

async function refreshAgents(client: QueryClient, { agents }: Changes): Promise<void> {
  const ids = [...agents];
  for (let at = 0; at < ids.length; at += MAX_IDS) {
    const some = ids.slice(at, at + MAX_IDS);
    const { agents: found } = await get<{ agents: Agent[] }>(`${PATHS.agents}?ids=${some.join(',')}`);
    // If a request for the list of agents is still running, cancel it and send it again. The answer to the earlier
    // request would overwrite the newer agents that this function has fetched.
    if (client.isFetching(agentsQuery) > 0) await askAgain(client, { queryKey: agentsQuery.queryKey });
    client.setQueryData(agentsQuery.queryKey, (known: Agent[] | undefined) => known && replaced(known, found));
    for (const agent of found)
      client.setQueryData(agentQuery(agent.id).queryKey, (known: Agent | undefined) => known && agent);
    if (found.some(({ ended_at, state }) => ended_at !== null || state === 'lost'))
      await askAgain(client, { queryKey: ['ended-agents'] });
  }
}

async function refreshRuns(client: QueryClient, { runs }: Changes): Promise<void> {
  for (const id of runs) {
    const run = await get<Run>(PATHS.run(id)).catch((error: unknown) => {
      // Treat the answer 404 as "no run": the store does not contain the run, perhaps because an older backup was
      // restored.
      if (error instanceof Refused && error.status === 404) return undefined;
      throw error;
    });
    if (run === undefined) continue;
    client.setQueryData(
      runsQuery.queryKey,
      (known: Run[] | undefined) => known && replaced(known, [run]).sort((one, other) => other.id - one.id),
    );
    client.setQueryData(runQuery(id).queryKey, (known: Run | undefined) => known && run);
    await askAgain(client, { queryKey: ['run', id, 'texts'] });
    await askAgain(client, { queryKey: ['run', id, 'events'] });
    if (run.handoff_id !== null) await askAgain(client, { queryKey: ['handoff', run.handoff_id] });
  }
  if (runs.size === 0) return;
  await askAgain(client, { queryKey: ['run-list'] });
  await askAgain(client, { queryKey: ['handoffs'] });
  await askAgain(client, { queryKey: ['lineage'] });
  await askAgain(client, { queryKey: ['knowledge'] });
}

async function refreshPackages(client: QueryClient, { packages }: Changes): Promise<void> {
  for (const id of packages) await askAgain(client, { queryKey: ['package', id] });
  // Refetch the lists of packages as well, because a changed package may now belong to other lists.
  if (packages.size > 0) await askAgain(client, { queryKey: ['packages'] });
}

async function refreshFlags(client: QueryClient, changes: Changes): Promise<void> {
  const again = (key: string): Promise<void> => askAgain(client, { queryKey: [key] });
  if (changes.inbox) await again('inbox');
  if (changes.projects) await again('projects');
  if (changes.candidates) await again('candidates');
  if (changes.worktrees) await again('worktrees');
  if (changes.fleet) await again('fleet');
  // Refetch the agents after a change of the settings, because the settings decide whether an agent's handoff is due.
  if (changes.settings) await Promise.all(['settings', 'agent'].map(again));
  if (changes.personas) await Promise.all(['personas', 'persona', 'lineage', 'knowledge', 'agent'].map(again));
  // Refetch the shown agents by their ids. A list of live agents would not contain agents that have ended since the
  // page was opened.
  const shown = changes.settings || changes.personas ? (client.getQueryData(agentsQuery.queryKey) ?? []) : [];
  await refreshAgents(client, { ...changes, agents: new Set(shown.map(({ id }) => id)) });
}

/**
 * Refetches queries. Rejects if a request failed, so that the live feed repeats the request. A refusal of the server
 * counts as an answer and not as a failure.
 */
async function askAgain(client: QueryClient, which: { readonly queryKey?: readonly unknown[] }): Promise<void> {
  await client.invalidateQueries(which);
  for (const { state } of client.getQueryCache().findAll({ ...which, type: 'active' }))
    if (state.status === 'error' && !(state.error instanceof Refused && state.error.status < 500)) throw state.error;
}

/**
 * Replaces the entries that have changed, and appends the new ones. An unchanged entry stays the same object, so its
 * card is not drawn again.
 */
export function replaced<T extends { readonly id: number }>(known: readonly T[], found: readonly T[]): T[] {
  const byId = new Map(found.map((each) => [each.id, each]));
  const kept = known.map((each) => sameOr(each, byId.get(each.id)));
  const ids = new Set(known.map(({ id }) => id));
  return [...kept, ...found.filter(({ id }) => !ids.has(id))];
}

const sameOr = <T>(known: T, found: T | undefined): T =>
  found === undefined || JSON.stringify(known) === JSON.stringify(found) ? known : found;
