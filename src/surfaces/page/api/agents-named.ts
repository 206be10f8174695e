import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Agent } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { get } from './call.ts';

const MAX_IDS = 100;

/** Fetches many agents by id at once, also ended ones, because lists of runs contain only ids. */
const agentsNamedQuery = (ids: readonly number[]) => {
  const wanted = [...new Set(ids)].sort((one, other) => one - other);
  return queryOptions({
    staleTime: Number.POSITIVE_INFINITY,
    // The key begins with 'agents', so that a renamed persona refetches these agents, too.
    queryKey: ['agents', 'named', wanted],
    queryFn: async ({ signal }) => {
      const found = new Map<number, Agent>();
      for (let at = 0; at < wanted.length; at += MAX_IDS) {
        const some = wanted.slice(at, at + MAX_IDS).join(',');
        const { agents } = await get<{ agents: Agent[] }>(`${PATHS.agents}?ids=${some}`, signal);
        for (const agent of agents) found.set(agent.id, agent);
      }
      return found;
    },
    enabled: wanted.length > 0,
    placeholderData: keepPreviousData,
  });
};

const NONE: ReadonlyMap<number, Agent> = new Map();

/** Use these agents only for names and links, because their states are as old as the request. */
export const useAgentsNamed = (ids: readonly (number | null)[]): ReadonlyMap<number, Agent> =>
  useQuery(agentsNamedQuery(ids.filter((id) => id !== null))).data ?? NONE;
