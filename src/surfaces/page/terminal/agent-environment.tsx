import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Environment } from '../../../contract/environment.ts';
import { PATHS } from '../../../contract/routes.ts';
import { ORIGIN_WORDS } from '../../../contract/words/origin-words.ts';
import { get } from '../api/call.ts';
import { Fold } from '../parts/fold.tsx';
import { visible } from '../parts/markdown/visible-text.ts';

/**
 * Lists the names and origins of an agent's environment variables. The page does not show the values, because other
 * people may see the page; the command line shows them.
 */
export function AgentEnvironment({ agentId }: { readonly agentId: number }) {
  const [open, setOpen] = useState(false);
  return (
    <Fold summary="Environment" className="mt-6" onToggle={setOpen}>
      {open && <Names agentId={agentId} />}
    </Fold>
  );
}

/**
 * The variables are fetched only when the operator opens this section, because the server may have to wait for a shell.
 */
function Names({ agentId }: { readonly agentId: number }) {
  const asked = useQuery({
    queryKey: ['agent', agentId, 'environment'],
    queryFn: ({ signal }) => get<Environment>(`${PATHS.environment}?agent=${agentId}`, signal),
  });
  if (asked.data === undefined) return <p className="text-sm text-muted">Loading environment…</p>;
  const { variables, problems } = asked.data;
  return (
    <>
      <p className="mt-2 mb-2 text-sm text-muted">Variables that a new agent in this project would get now.</p>
      {problems.map((problem) => (
        <p key={problem} className="mb-2 text-sm wrap-anywhere">
          {visible(problem)}
        </p>
      ))}
      <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 text-xs">
        {variables.map(({ name, origin }) => (
          <div key={name} className="contents">
            <dt className="font-mono break-all">{visible(name)}</dt>
            <dd className="text-muted">{ORIGIN_WORDS[origin]}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
