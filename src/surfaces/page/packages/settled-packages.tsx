import { useQuery } from '@tanstack/react-query';
import { packageQuery } from '../api/package-queries.ts';
import { Button } from '../parts/button.tsx';
import { Panel } from '../parts/panel.tsx';
import { DecisionStands } from './decide/decision-stands.tsx';
import { PackageLink, PackageState } from './package-state.tsx';

interface Props {
  readonly ids: readonly string[];
  readonly onPutAway: (id: string) => void;
}

/** Says what became of packages that left the inbox: a person about to decide must not be left wondering. */
export default function SettledPackages({ ids, onPutAway }: Props) {
  return (
    <section aria-label="Settled since this page was opened" className="mt-8 max-w-3xl">
      <h2 className="mb-3 text-base font-semibold">Settled since this page was opened</h2>
      <ul className="flex flex-col gap-3">
        {ids.map((id) => (
          <li key={id}>
            <Settled id={id} onPutAway={() => onPutAway(id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Settled({ id, onPutAway }: { readonly id: string; readonly onPutAway: () => void }) {
  const { data: detail } = useQuery(packageQuery(id));
  return (
    <Panel className="p-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <PackageLink id={id} />
        {detail !== undefined && <PackageState of={detail} />}
        <Button small kind="quiet" aria-label={`Put ${id} away`} onClick={onPutAway}>
          Put away
        </Button>
      </div>
      {detail !== undefined && <DecisionStands detail={detail} />}
    </Panel>
  );
}
