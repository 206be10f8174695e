import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Agent } from '../../../contract/resources.ts';
import { askAgents } from './ask.ts';

const MAX_IDS = 100;

/**
 * Fetches agents by id, live or ended, many in one request. Lists of runs need this, because a run contains only the
 * ids of its agents.
 */
const agentsNamedQuery = (ids: readonly number[]) => {
  const wanted = [...new Set(ids)].sort((one, other) => one - other);
  return queryOptions({
    staleTime: Number.POSITIVE_INFINITY,
    // Begin the query's key with 'agents'. A change of a persona's name then refetches these agents together with all
    // other agents.
    queryKey: ['agents', 'named', wanted],
    queryFn: async (from) => {
      const found = new Map<number, Agent>();
      for (let at = 0; at < wanted.length; at += MAX_IDS) {
        const some = wanted.slice(at, at + MAX_IDS).join(',');
        for (const agent of await askAgents(`ids=${some}`, from)) found.set(agent.id, agent);
      }
      return found;
    },
    enabled: wanted.length > 0,
    placeholderData: keepPreviousData,
  });
};

const NONE: ReadonlyMap<number, Agent> = new Map();

/** Returns agents by id. Use them only for names and links, because their states are as old as the request. */
export const useAgentsNamed = (ids: readonly (number | null)[]): ReadonlyMap<number, Agent> =>
  useQuery(agentsNamedQuery(ids.filter((id) => id !== null))).data ?? NONE;
