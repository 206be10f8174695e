import { useQuery } from '@tanstack/react-query';
import type { Agent } from '../../../../contract/resources.ts';
import { inboxQuery } from '../../api/queries.ts';
import { visible } from '../../parts/markdown/visible-text.ts';
import { ToPackage } from '../../parts/to.tsx';

/**
 * Names the package that an idle agent waits for, because the agent's badge says only "Needs you". The form for the
 * decision is in the inbox and on the page of the package.
 */
export const DecisionNote = ({ agent: { needs, state } }: { readonly agent: Agent }) =>
  needs?.severity === 'decision' && state === 'idle' ? <AwaitedPackage needs={needs} /> : null;

function AwaitedPackage({ needs: { item_id, sentence } }: { readonly needs: NonNullable<Agent['needs']> }) {
  const { data: items = [] } = useQuery(inboxQuery);
  const id = items.find((item) => item.id === item_id)?.package_id;
  if (!id) return null;
  return (
    <div className="text-sm">
      <p className="wrap-anywhere text-amber">{visible(sentence)}</p>
      <ToPackage id={id} className="inline-flex min-h-[44px] items-center text-accent underline md:min-h-0">
        Open {visible(id)}
      </ToPackage>
    </div>
  );
}
