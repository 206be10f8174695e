import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  Agent,
  Candidate,
  Event,
  HandoffDetail,
  HandoffSummary,
  Health,
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
import type { Refresher } from '../live/live-feed.ts';
import type { Changes } from '../live/what-changed.ts';
import { get, Refused } from './call.ts';

/** Answers never become stale by themselves, because events say what to refetch (live/live-feed.ts). */
const fresh = { staleTime: Number.POSITIVE_INFINITY } as const;

/** Validates the id, because an address can contain anything. */
function numberIn(id: number): number {
  if (!Number.isSafeInteger(id) || id < 1) throw new Error('Page not found: the address has no valid number.');
  return id;
}

/** The server's health is polled, because a failing store cannot write an event about its failure. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => get<Health>(PATHS.health, signal),
  refetchInterval: 30_000,
});

/** The live agents, and those that ended while this page was open. */
export const agentsQuery = queryOptions({
  ...fresh,
  queryKey: ['agents'],
  queryFn: async ({ signal }) => (await get<{ agents: Agent[] }>(`${PATHS.agents}?live=1`, signal)).agents,
});

/** One agent, live or ended. */
export const agentQuery = (id: number) =>
  queryOptions({
    ...fresh,
    queryKey: ['agent', id],
    queryFn: ({ signal }) => get<Agent>(PATHS.agent(numberIn(id)), signal),
  });

export const runsQuery = queryOptions({
  ...fresh,
  queryKey: ['runs'],
  queryFn: async ({ signal }) => (await get<{ runs: Run[] }>(`${PATHS.runs}?limit=200`, signal)).runs,
});

export const runQuery = (id: number) =>
  queryOptions({ ...fresh, queryKey: ['run', id], queryFn: ({ signal }) => get<Run>(PATHS.run(numberIn(id)), signal) });

export const runTextsQuery = (id: number) =>
  queryOptions({
    ...fresh,
    queryKey: ['run', id, 'texts'],
    queryFn: async ({ signal }) => (await get<RunTexts>(PATHS.runTexts(id), signal)).texts,
  });

export const runEventsQuery = (id: number) =>
  queryOptions({
    ...fresh,
    queryKey: ['run', id, 'events'],
    queryFn: async ({ signal }) => (await get<{ events: Event[] }>(`${PATHS.events}?run=${id}`, signal)).events,
  });

export const handoffQuery = (id: number) =>
  queryOptions({
    ...fresh,
    queryKey: ['handoff', id],
    queryFn: ({ signal }) => get<HandoffDetail>(PATHS.handoffRecord(id), signal),
  });

export const handoffsQuery = (slug: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['handoffs', slug],
    queryFn: async ({ signal }) =>
      (await get<{ handoffs: HandoffSummary[] }>(`${PATHS.handoffs}?persona=${slug}&limit=1000`, signal)).handoffs,
  });

export const inboxQuery = queryOptions({
  ...fresh,
  queryKey: ['inbox'],
  queryFn: async ({ signal }) => (await get<{ items: InboxItem[] }>(PATHS.inbox, signal)).items,
});

export const personasQuery = queryOptions({
  ...fresh,
  queryKey: ['personas'],
  queryFn: async ({ signal }) => (await get<{ personas: Persona[] }>(PATHS.personas, signal)).personas,
});

export const personaQuery = (slug: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['persona', slug],
    queryFn: ({ signal }) => get<PersonaDetail>(PATHS.persona(slug), signal),
  });

export const lineageQuery = (slug: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['lineage', slug],
    queryFn: ({ signal }) => get<Lineage>(`${PATHS.lineage(slug)}?limit=1000`, signal),
  });

export const projectsQuery = queryOptions({
  ...fresh,
  queryKey: ['projects'],
  queryFn: async ({ signal }) => (await get<{ projects: Project[] }>(PATHS.projects, signal)).projects,
});

/** External sessions: those that the operator started outside Baton. */
export const candidatesQuery = queryOptions({
  ...fresh,
  queryKey: ['candidates'],
  queryFn: async ({ signal }) => (await get<{ candidates: Candidate[] }>(PATHS.candidates, signal)).candidates,
});

export const runtimesQuery = queryOptions({
  ...fresh,
  queryKey: ['runtimes'],
  queryFn: async ({ signal }) => (await get<{ runtimes: RuntimeInfo[] }>(PATHS.runtimes, signal)).runtimes,
});

export const settingsQuery = queryOptions({
  ...fresh,
  queryKey: ['settings'],
  queryFn: ({ signal }) => get<SettingsView>(PATHS.settings, signal),
});

/** Refetches these answers for the live feed. */
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
    // A request in flight may bring an older answer, which would overwrite this one, so it is sent again.
    if (client.isFetching(agentsQuery) > 0) await askAgain(client, { queryKey: agentsQuery.queryKey });
    client.setQueryData(agentsQuery.queryKey, (known: Agent[] | undefined) => known && replaced(known, found));
    for (const agent of found)
      client.setQueryData(agentQuery(agent.id).queryKey, (known: Agent | undefined) => known && agent);
  }
}

async function refreshRuns(client: QueryClient, { runs }: Changes): Promise<void> {
  for (const id of runs) {
    const run = await get<Run>(PATHS.run(id)).catch((error: unknown) => {
      // The run's agent was deleted, so there is nothing to show.
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
  await askAgain(client, { queryKey: ['handoffs'] });
  await askAgain(client, { queryKey: ['lineage'] });
}

async function refreshPackages(client: QueryClient, { packages }: Changes): Promise<void> {
  for (const id of packages) await askAgain(client, { queryKey: ['package', id] });
  // A package may have entered or left a list or a chain.
  if (packages.size > 0) await askAgain(client, { queryKey: ['packages'] });
}

async function refreshFlags(client: QueryClient, changes: Changes): Promise<void> {
  const ask = (key: string): Promise<void> => askAgain(client, { queryKey: [key] });
  if (changes.inbox) await ask('inbox');
  if (changes.projects) await ask('projects');
  if (changes.candidates) await ask('candidates');
  if (changes.worktrees) await ask('worktrees');
  // The answer about an agent says whether a handoff is due, which depends on the settings.
  if (changes.settings) await Promise.all(['settings', 'agent'].map(ask));
  if (changes.personas) await Promise.all(['personas', 'persona', 'lineage', 'agent'].map(ask));
  // Agents are refetched by id, so that those that ended since the page was opened stay on the page.
  const shown = changes.settings || changes.personas ? (client.getQueryData(agentsQuery.queryKey) ?? []) : [];
  await refreshAgents(client, { ...changes, agents: new Set(shown.map(({ id }) => id)) });
}

/** Rejects if a request failed, so that the live feed repeats it. A refusal counts as an answer. */
async function askAgain(client: QueryClient, which: { readonly queryKey?: readonly unknown[] }): Promise<void> {
  await client.invalidateQueries(which);
  for (const { state } of client.getQueryCache().findAll({ ...which, type: 'active' }))
    if (state.status === 'error' && !(state.error instanceof Refused && state.error.status < 500)) throw state.error;
}

/** Keeps the order and appends new entries. Unchanged entries stay the same object, so their cards are not redrawn. */
export function replaced<T extends { readonly id: number }>(known: readonly T[], found: readonly T[]): T[] {
  const byId = new Map(found.map((each) => [each.id, each]));
  const kept = known.map((each) => sameOr(each, byId.get(each.id)));
  const ids = new Set(known.map(({ id }) => id));
  return [...kept, ...found.filter(({ id }) => !ids.has(id))];
}

const sameOr = <T>(known: T, found: T | undefined): T =>
  found === undefined || JSON.stringify(known) === JSON.stringify(found) ? known : found;
