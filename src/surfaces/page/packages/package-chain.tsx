import { useQuery } from '@tanstack/react-query';
import type { PackageDetail } from '../../../contract/packages/package-resources.ts';
import { packageChainQuery } from '../api/package-queries.ts';
import { usePartyNames } from '../api/party-names.ts';
import { classes } from '../parts/class-names.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { Panel, Section } from '../parts/panel.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { type ChainNode, layOutChain } from './lay-out-chain.ts';
import { FromTo, PackageLink, PackageState } from './package-state.tsx';

const INDENT = ['pl-0', 'pl-4', 'pl-8', 'pl-12', 'pl-16', 'pl-20', 'pl-24'] as const;

/** The packages before and after this package in its chain, and the delegations that wait for a return package. */
export function PackageChain({ detail }: { readonly detail: PackageDetail }) {
  const { data, error } = useQuery(packageChainQuery(detail.id));
  const called = usePartyNames();
  const nodes = data === undefined ? [] : layOutChain(data.packages);
  // Show nothing for a package that is related to no other package.
  if (error === null && nodes.length < 2 && (data?.open_frames ?? []).length === 0) return null;
  return (
    <Section title="Related packages">
      <Panel className="px-4 py-1">
        <Trouble error={error} />
        <ol className="divide-y divide-line">
          {nodes.map((node) => (
            <Node key={node.row.id} node={node} isThis={node.row.id === detail.id} />
          ))}
        </ol>
        {data?.open_frames.map(({ handoff, caller, callee }) => (
          <p key={handoff} className="border-t border-line py-2 text-sm wrap-anywhere text-amber">
            {visible(called(caller))} is waiting for {visible(called(callee))} to return {handoff}.
          </p>
        ))}
      </Panel>
    </Section>
  );
}

const Node = ({ node: { row, depth, ties }, isThis }: { readonly node: ChainNode; readonly isThis: boolean }) => (
  <li aria-current={isThis ? 'true' : undefined} className={classes('py-2', INDENT[depth])}>
    <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
      <span className="min-w-0">
        {depth > 0 && (
          <span aria-hidden="true" className="mr-1.5 text-muted">
            ↳
          </span>
        )}
        {isThis ? <strong>{row.id}</strong> : <PackageLink id={row.id} />}
        <span className="text-sm text-muted"> {row.type}</span>
      </span>
      <PackageState of={row} />
    </div>
    <p className="text-sm text-muted">
      <FromTo from={row.from} to={row.to} />
      {ties.map(({ word, id }) => (
        <span key={word}>
          {' · '}
          {word} <PackageLink id={id} />
        </span>
      ))}
    </p>
  </li>
);
