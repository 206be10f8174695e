import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { InboxItem } from '../../../contract/resources.ts';
import { packageQuery } from '../api/package-queries.ts';
import { DecisionStands } from '../packages/decision-stands.tsx';
import { PackageState } from '../packages/package-state.tsx';
import { Button } from '../parts/button.tsx';
import { Panel } from '../parts/panel.tsx';

/** Whoever was about to decide is told what became of it: an item that only vanished would leave him wondering. */
export function SettledPackages({ items }: { readonly items: readonly InboxItem[] | undefined }) {
  const [known, setKnown] = useState<readonly string[]>([]);
  const waiting = idsOf(items ?? []);
  const open = waiting.join();
  useEffect(() => {
    setKnown((before) => [...new Set([...before, ...open.split(',').filter(Boolean)])]);
  }, [open]);
  const settled = items === undefined ? [] : known.filter((id) => !waiting.includes(id));
  if (settled.length === 0) return null;
  return (
    <section aria-label="Settled since this page was opened" className="mt-8 max-w-3xl">
      <h2 className="mb-3 text-base font-semibold">Settled since this page was opened</h2>
      <ul className="flex flex-col gap-3">
        {settled.map((id) => (
          <li key={id}>
            <Settled id={id} onPutAway={() => setKnown((before) => before.filter((each) => each !== id))} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const idsOf = (items: readonly InboxItem[]): readonly string[] =>
  items.flatMap(({ package_id }) => (package_id ? [package_id] : []));

function Settled({ id, onPutAway }: { readonly id: string; readonly onPutAway: () => void }) {
  const { data: detail } = useQuery(packageQuery(id));
  return (
    <Panel className="p-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <Link to="/packages/$id" params={{ id }} className="text-accent underline">
          {id}
        </Link>
        {detail !== undefined && <PackageState state={detail.state} />}
        <Button small kind="quiet" aria-label={`Put ${id} away`} onClick={onPutAway}>
          Put away
        </Button>
      </div>
      {detail !== undefined && <DecisionStands detail={detail} />}
    </Panel>
  );
}
