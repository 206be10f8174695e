import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { HandoffSummary } from '../../../contract/resources.ts';
import { handoffName, reasonInWords, stepNow } from '../../../contract/words/step-words.ts';
import { handoffsQuery } from '../api/queries.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { ShowOlder, useOlder } from '../parts/lists/show-older.tsx';
import { Empty, Panel } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Ago } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { ShortPaths } from '../parts/words/short-paths.tsx';

/** The handoffs of agents with this persona, newest first. */
export function HandoffHistory({ slug }: { readonly slug: string }) {
  const found = useInfiniteQuery(handoffsQuery(slug));
  const older = useOlder(found, slug);
  const handoffs = found.data?.pages.flatMap((page) => page.handoffs);
  if (handoffs === undefined) return found.error === null ? <Loading /> : <Trouble error={found.error} />;
  if (handoffs.length === 0)
    return <Empty title="No handoffs yet">Handoff documents of agents with this persona appear here.</Empty>;
  return (
    <>
      <Panel>
        <ul aria-label="Handoffs of this persona" className="divide-y divide-line">
          {handoffs.map((handoff) => (
            <HandoffRow key={handoff.id} handoff={handoff} />
          ))}
        </ul>
      </Panel>
      <ShowOlder older={older} rows="handoffs" />
      <Trouble error={found.error} />
    </>
  );
}

function HandoffRow({ handoff }: { readonly handoff: HandoffSummary }) {
  const { id, agent_id, successor_agent_id, reason, run_id, file_path, created_at } = handoff;
  const title = `${handoffName({ id, run_id })}: ${reasonInWords(reason)}`;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3 md:px-5">
      <div className="min-w-0">
        <p className="font-medium">
          {run_id === null ? (
            title
          ) : (
            <Link to="/runs/$id" params={{ id: run_id }} className="text-accent underline-offset-4 hover:underline">
              {title}
            </Link>
          )}
        </p>
        <p className="text-sm text-muted">
          From agent {agent_id} {successor_agent_id === null ? 'to no successor' : `to agent ${successor_agent_id}`},{' '}
          <Ago at={created_at} />
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          <ShortPaths text={file_path ?? 'no document'} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {handoff.emergency && <Badge tone="amber">emergency</Badge>}
        <Outcome handoff={handoff} />
      </div>
    </li>
  );
}

function Outcome({ handoff: { step, acknowledged } }: { readonly handoff: HandoffSummary }) {
  if (acknowledged) return <Badge tone="green">Acknowledged</Badge>;
  if (step === null) return null;
  return <Badge tone={TONES[step] ?? 'blue'}>{step === 'completed' ? 'not acknowledged' : stepNow(step)}</Badge>;
}

const TONES: Readonly<Record<string, Tone>> = { completed: 'amber', failed: 'red', cancelled: 'grey' };
