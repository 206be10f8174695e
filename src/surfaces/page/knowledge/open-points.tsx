import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { OpenPoint } from '../../../contract/knowledge.ts';
import { PATHS } from '../../../contract/routes.ts';
import { post } from '../api/call.ts';
import { knowledgeQuery } from '../api/queries.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Fold } from '../parts/fold.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Empty, Panel } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Ago } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { useAction } from '../parts/use-action.ts';

/** Next steps and questions from documents of this persona: first the open points, then the closed ones, folded. */
export function OpenPoints({ slug }: { readonly slug: string }) {
  const { data, error } = useQuery(knowledgeQuery(slug));
  if (data === undefined) return error === null ? <Loading /> : <Trouble error={error} />;
  const open = data.points.filter(({ closed }) => closed === null);
  const closed = data.points.filter((point) => point.closed !== null);
  return (
    <>
      {open.length === 0 ? (
        <Empty title="No open points">
          Next steps and questions of handoff documents appear here until a later document or you close them.
        </Empty>
      ) : (
        <PointList points={open} slug={slug} label="Open points" />
      )}
      {closed.length > 0 && (
        <Fold className="mt-3" summary={`Closed points (${closed.length})`}>
          <PointList points={closed} slug={slug} label="Closed points" />
        </Fold>
      )}
    </>
  );
}

const PointList = (props: { readonly points: readonly OpenPoint[]; readonly slug: string; readonly label: string }) => (
  <Panel>
    <ul aria-label={props.label} className="divide-y divide-line">
      {props.points.map((point) => (
        <PointRow key={point.id} point={point} slug={props.slug} />
      ))}
    </ul>
  </Panel>
);

function PointRow({ point, slug }: { readonly point: OpenPoint; readonly slug: string }) {
  const client = useQueryClient();
  const { id, name, kind, text, run_id, created_at, closed } = point;
  const change = useAction(async () => {
    await post<OpenPoint>(closed === null ? PATHS.closePoint(id) : PATHS.reopenPoint(id), {});
    await client.invalidateQueries(knowledgeQuery(slug));
    return closed === null ? `${name} is closed.` : `${name} is open again.`;
  });
  const verb = closed === null ? 'Close' : 'Reopen';
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3 md:px-5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="wrap-anywhere">{visible(text)}</p>
        <p className="text-sm text-muted">
          {name}, {kind === 'question' ? 'question' : 'next step'} of{' '}
          <Link
            to="/runs/$id"
            params={{ id: run_id }}
            className="text-accent underline underline-offset-4 hover:text-accent-hover"
          >
            handoff {run_id}
          </Link>
          , <Ago at={created_at} />
        </p>
      </div>
      <div className="flex items-center gap-2">
        {closed !== null && (
          <Badge tone="grey">{closed.by === 'person' ? 'closed by you' : `closed by handoff ${closed.run_id}`}</Badge>
        )}
        <Button
          small
          busy={change.busy}
          aria-label={`${verb} point ${name} of ${slug}`}
          onClick={() => void change.run()}
        >
          {verb} point
        </Button>
      </div>
    </li>
  );
}
