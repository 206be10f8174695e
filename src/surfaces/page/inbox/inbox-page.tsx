import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { FleetInbox } from '../../../contract/fleet.ts';
import type { InboxItem, Severity } from '../../../contract/resources.ts';
import { compareNeeds } from '../../../contract/words/agent-orders.ts';
import { fleetInboxQuery, useIsInFleet } from '../api/fleet-queries.ts';
import { inboxQuery } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { classes } from '../parts/class-names.ts';
import { Tiles } from '../parts/lists/tiles.tsx';
import { Empty, PageTitle } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { InboxEntry, SEVERITY_LOOKS } from './inbox-entry.tsx';
import { useDismiss } from './use-dismiss.ts';
import { useSettled } from './use-settled.ts';

const InboxHistory = lazy(() => import('./inbox-history.tsx'));
const SettledPackages = lazy(() => import('../packages/settled-packages.tsx'));

/**
 * The maximum number of packages whose forms are open at first. If more packages wait in the inbox, all their forms are
 * folded, so that the list stays readable.
 */
const MAX_OPEN = 5;

/** The parts of the inbox for other machines. They are loaded only if this Baton is in a fleet. */
const OnMachine = lazy(async () => ({ default: (await import('../machines/on-machine.tsx')).OnMachine }));
const MachineFilter = lazy(async () => ({ default: (await import('../machines/machine-filter.tsx')).MachineFilter }));

/** An inbox item with the name of its machine. The name is null for this machine. */
interface Entry {
  readonly machine: string | null;
  readonly item: InboxItem;
}

const NONE: readonly InboxItem[] = [];

const rankOf = ({ item: { severity = 'notice', opened_at } }: Entry) => ({ severity, since: opened_at });

/**
 * Returns the inbox items of all machines, worst first. `own` contains the items of this machine, already sorted by the
 * server.
 */
function entriesOf(own: readonly InboxItem[], elsewhere: FleetInbox['items']): readonly Entry[] {
  const here = own.map((item) => ({ machine: null, item }));
  if (elsewhere.length === 0) return here;
  return [...here, ...elsewhere.map(({ heard, item }) => ({ machine: heard.machine, item }))].sort((one, other) =>
    compareNeeds(rankOf(one), rankOf(other)),
  );
}

const severityIn = ({ severity = 'notice' }: InboxItem): Severity => severity;

/** Everything that needs the operator, worst first. In a fleet, the items of all machines are in one list. */
export function InboxPage() {
  const inbox = useQuery(inboxQuery);
  const [kind, setKind] = useState<Severity | null>(null);
  const { machine } = useSearch({ from: '/inbox' });
  const isInFleet = useIsInFleet();
  const elsewhere = useQuery({ ...fleetInboxQuery, enabled: isInFleet }).data;
  const own = isInFleet && machine !== undefined ? NONE : (inbox.data ?? NONE);
  const all = entriesOf(
    own,
    (elsewhere ?? []).filter(({ heard }) => machine === undefined || heard.machine === machine),
  );
  const entries = all.filter(({ item }) => kind === null || severityIn(item) === kind);
  const isCrowded = all.filter(({ item }) => item.package_id).length > MAX_OPEN;
  const settled = useSettled(inbox.data);
  return (
    <>
      <PageTitle title="Inbox" note="Things that need you. Items clear themselves once resolved.">
        {isInFleet && (
          <Suspense>
            <MachineFilter page="/inbox" machine={machine} />
          </Suspense>
        )}
      </PageTitle>
      <Trouble error={inbox.error} />
      {inbox.isPending && <Loading what="Loading inbox" />}
      {inbox.isSuccess && all.length === 0 && (
        <Empty title="Nothing needs you">Failures, questions and decisions appear here.</Empty>
      )}
      {all.length > 1 && (
        <InboxControls
          all={all.map(({ item }) => item)}
          kind={kind}
          onKind={setKind}
          items={entries.filter((entry) => entry.machine === null).map(({ item }) => item)}
        />
      )}
      <Tiles label="Items that need you" items={entries} keyOf={keyOf} minWidth={30}>
        {({ machine: name, item }) =>
          name === null ? (
            <InboxEntry item={item} folded={isCrowded} />
          ) : (
            <Suspense>
              <OnMachine name={name}>
                <InboxEntry item={item} folded />
              </OnMachine>
            </Suspense>
          )
        }
      </Tiles>
      {settled.ids.length > 0 && (
        <Suspense>
          <SettledPackages ids={settled.ids} onDismiss={settled.dismiss} />
        </Suspense>
      )}
      <History />
    </>
  );
}

/** The history is loaded when the operator opens it, because most visits are about open items. */
function History() {
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-label="History" className="mt-8">
      <Button small kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide history' : 'Show history'}
      </Button>
      {isOpen && (
        <div className="mt-3">
          <Suspense fallback={<Loading what="Loading history" />}>
            <InboxHistory />
          </Suspense>
        </div>
      )}
    </section>
  );
}

/**
 * Returns the React key of an item. If a reminder about a package replaces an earlier item about the package, both
 * items have the same key. The page then keeps the text that the operator typed into the package's form.
 */
const keyOf = ({ machine, item: { id, kind, package_id } }: Entry): string =>
  `${machine ?? ''} ${package_id ? `${package_id} ${kind}` : id}`;

interface ControlProps {
  readonly all: readonly InboxItem[];
  readonly kind: Severity | null;
  readonly onKind: (kind: Severity | null) => void;
  /**
   * The items of this machine that the list shows now. One button dismisses all of them. Items of other machines must
   * be dismissed one by one.
   */
  readonly items: readonly InboxItem[];
}

/** The controls of the inbox: a filter by kind, and a button that dismisses the shown items of this machine. */
function InboxControls({ all, kind, onKind, items }: ControlProps) {
  const dismiss = useDismiss();
  const kinds = (Object.keys(SEVERITY_LOOKS) as Severity[]).filter(
    (each) => each === kind || all.some((item) => severityIn(item) === each),
  );
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">Filter items</legend>
        {[null, ...kinds].map((each) => (
          <button
            key={each ?? 'all'}
            type="button"
            aria-pressed={each === kind}
            onClick={() => onKind(each)}
            className={classes(
              'min-h-[44px] rounded-full md:min-h-8 border px-3 text-sm',
              each === kind
                ? 'border-accent bg-accent-soft font-semibold text-accent'
                : 'border-line-strong text-muted hover:bg-panel hover:text-ink',
            )}
          >
            {each === null ? 'All' : SEVERITY_LOOKS[each].word}{' '}
            {each === null ? all.length : all.filter((item) => severityIn(item) === each).length}
          </button>
        ))}
      </fieldset>
      {items.length > 1 && (
        <Button small kind="quiet" className="ml-auto" busy={dismiss.busy} onClick={() => void dismiss.run(items)}>
          {kind === null ? `Dismiss all ${items.length}` : `Dismiss these ${items.length}`}
        </Button>
      )}
    </div>
  );
}
