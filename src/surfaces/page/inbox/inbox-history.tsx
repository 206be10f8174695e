import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { InboxItem } from '../../../contract/resources.ts';
import { inboxHistoryQuery } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Panel } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Ago } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { capitalized } from '../parts/words/capitalized.ts';
import { ShortPaths } from '../parts/words/short-paths.tsx';

/** The inbox items that need nothing from the operator any more, newest first. Each item shows how it ended. */
export default function InboxHistory() {
  const history = useInfiniteQuery(inboxHistoryQuery);
  const items = history.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <Trouble error={history.error} />
      {history.isPending && <Loading what="Loading history" />}
      {history.isSuccess && items.length === 0 && <p className="text-sm text-muted">No item has been closed yet.</p>}
      {items.length > 0 && (
        <Panel>
          <ul aria-label="Items that are over" className="divide-y divide-line">
            {items.map((item) => (
              <Row key={item.id} item={item} />
            ))}
          </ul>
        </Panel>
      )}
      {history.hasNextPage && (
        <Button small className="mt-3" busy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          Show older items
        </Button>
      )}
    </>
  );
}

const Row = ({ item }: { readonly item: InboxItem }) => (
  <li className="p-3 text-sm">
    <p className="wrap-anywhere">
      <ShortPaths text={item.sentence} />
    </p>
    <p className="mt-1 wrap-anywhere text-muted">
      {visible(capitalized(item.resolution ?? ''))}
      {item.resolved_at !== null && (
        <>
          {' · '}
          <Ago at={item.resolved_at} />
        </>
      )}
      {item.agent_id !== null && (
        <>
          {' · '}
          <Link to="/agents/$id" params={{ id: item.agent_id }} className="underline hover:text-ink">
            Agent {item.agent_id}
          </Link>
        </>
      )}
    </p>
  </li>
);
