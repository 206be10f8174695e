import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useIsInFleet } from '../../api/fleet-queries.ts';
import { Tiles } from '../../parts/lists/tiles.tsx';
import { CARD_WIDTH, CardInContext, type ListContext } from '../list/agent-cards.tsx';
import type { NeedEntry } from './needs-list.ts';

const load = () => import('../../inbox/inbox-entry.tsx');
// Start loading the code of the inbox entries now, so that it is usually loaded before the first item is shown. Ignore
// a failure here, because `InboxEntry` loads the code again and reports a failure.
void load().catch(() => undefined);

/**
 * Shows an inbox item that is not about a live agent. The code is not part of the page's first load, because most items
 * are about live agents.
 */
const InboxEntry = lazy(async () => ({ default: (await load()).InboxEntry }));

/**
 * A placeholder, shown until the code of the item is loaded. The placeholder must have less height than every item.
 * `Tiles` then notices the change of height when the item appears, and places the tiles again.
 */
const LoadingItem = () => (
  <p role="status" data-loading="" className="px-4 text-sm leading-5 text-muted">
    Loading item…
  </p>
);

/** Everything that needs the operator, worst first, each with its actions. */
export function NeedsYou({
  entries,
  context,
  itemCount,
}: {
  readonly entries: readonly NeedEntry[];
  readonly context: ListContext;
  /** The number of all items in the inbox, including notices. */
  readonly itemCount: number;
}) {
  const isInFleet = useIsInFleet();
  return (
    <section aria-label="Needs you" className="mb-6">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="text-base font-semibold">
          {entries.length > 0 ? 'Needs you' : isInFleet ? 'Nothing needs you on this machine.' : 'Nothing needs you.'}
        </h2>
        {itemCount > 0 && (
          <Link to="/inbox" className="inline-flex min-h-[44px] items-center text-sm text-accent underline md:min-h-0">
            Open inbox ({itemCount})
          </Link>
        )}
      </div>
      {entries.length > 0 && (
        <Tiles label="Needs you, worst first" items={entries} keyOf={({ key }) => key} minWidth={CARD_WIDTH}>
          {(entry) =>
            'agent' in entry ? (
              <CardInContext agent={entry.agent} context={context} />
            ) : (
              <Suspense fallback={<LoadingItem />}>
                <InboxEntry item={entry.item} folded />
              </Suspense>
            )
          }
        </Tiles>
      )}
    </section>
  );
}
