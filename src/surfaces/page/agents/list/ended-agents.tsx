import { useInfiniteQuery } from '@tanstack/react-query';
import { endedAgentsQuery } from '../../api/queries.ts';
import { ShowOlder, useOlder } from '../../parts/lists/show-older.tsx';
import { Empty } from '../../parts/panel.tsx';
import { Loading } from '../../parts/spinner.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { AgentTable } from './agent-table.tsx';
import { isFiltered, type LiveFilter } from './arrange-agents.ts';

const CONTEXT = { runs: [], waiting: () => 0 };

/** The ended agents, newest first. The server searches and filters them, because there may be thousands. */
export function EndedAgents({ filter }: { readonly filter: LiveFilter }) {
  const { q, project, persona } = filter;
  const wanted = { q: q.trim(), project, persona };
  const found = useInfiniteQuery(endedAgentsQuery(wanted));
  const older = useOlder(found, JSON.stringify(wanted));
  const agents = found.data?.pages.flatMap((page) => page.agents);
  return (
    <>
      <Trouble error={found.error} />
      {agents === undefined && found.error === null && <Loading what="Loading ended agents" />}
      {agents?.length === 0 && (
        <Empty title={isFiltered(filter) ? 'No ended agents match' : 'No ended agents yet'}>
          Agents that ended or were lost appear here.
        </Empty>
      )}
      {agents !== undefined && agents.length > 0 && (
        <AgentTable agents={agents} label="Ended agents" areEnded context={CONTEXT} />
      )}
      <ShowOlder older={older} rows="agents" />
    </>
  );
}
