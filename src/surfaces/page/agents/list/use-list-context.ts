import { useQuery } from '@tanstack/react-query';
import type { Agent } from '../../../../contract/resources.ts';
import { openPackagesQuery } from '../../api/package-queries.ts';
import { runsQuery } from '../../api/queries.ts';
import { packagesWaiting } from '../packages-waiting.ts';
import type { ListContext } from './agent-cards.tsx';
import { twinsIn } from './arrange-agents.ts';

/** Returns the data that a list of agents shows in addition to the agents themselves. */
export function useListContext(live: readonly Agent[]): ListContext {
  const { data: runs = [] } = useQuery(runsQuery);
  const { data: packages = [] } = useQuery(openPackagesQuery);
  return { runs, waiting: packagesWaiting(packages), twins: twinsIn(live) };
}
