import { useQuery } from '@tanstack/react-query';
import { packageQuery } from '../api/package-queries.ts';
import { Button } from '../parts/button.tsx';
import { Panel } from '../parts/panel.tsx';
import { DecisionStands } from './decide/decision-stands.tsx';
import { PackageLink, PackageState } from './package-state.tsx';

interface Props {
  readonly ids: readonly string[];
  readonly onDismiss: (id: string) => void;
}

/** Shows the outcome of packages that have just left the inbox. The operator may have been about to decide on them. */
export default function SettledPackages({ ids, onDismiss }: Props) {
  return (
    <section aria-label="Recently resolved" className="mt-8 max-w-3xl">
      <h2 className="mb-3 text-base font-semibold">Recently resolved</h2>
      <ul className="flex flex-col gap-3">
        {ids.map((id) => (
          <li key={id}>
            <Settled id={id} onDismiss={() => onDismiss(id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Settled({ id, onDismiss }: { readonly id: string; readonly onDismiss: () => void }) {
  const { data: detail } = useQuery(packageQuery(id));
  return (
    <Panel className="p-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <PackageLink id={id} />
        {detail !== undefined && <PackageState of={detail} />}
        <Button small kind="quiet" aria-label={`Dismiss ${id}`} onClick={onDismiss}>
          Dismiss
        </Button>
      </div>
      {detail !== undefined && <DecisionStands detail={detail} />}
    </Panel>
  );
}
