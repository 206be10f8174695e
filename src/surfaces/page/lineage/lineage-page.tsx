import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Lineage } from '../../../contract/resources.ts';
import { lineageQuery } from '../api/queries.ts';
import { OpenPoints } from '../knowledge/open-points.tsx';
import { ShowOlder, useOlder } from '../parts/lists/show-older.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Column, Empty, PageTitle, Panel, Section } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { type Chain, gapOf, isLive, layOutLineage } from './lay-out-lineage.ts';
import { ChainGraph } from './lineage-graph.tsx';
import { LineageList } from './lineage-list.tsx';

/** The chain of agents that have had the same persona, and the handoff documents between these agents. */
export function LineagePage() {
  const { slug } = useParams({ from: '/personas/$slug/lineage' });
  const found = useInfiniteQuery(lineageQuery(slug));
  const older = useOlder(found, slug);
  const { data, error } = found;
  const lineage = useMemo(() => joined(data?.pages ?? []), [data]);
  if (lineage === undefined)
    return (
      <>
        <PageTitle title="Lineage" />
        {error === null ? <Loading /> : <Trouble error={error} />}
      </>
    );
  return (
    <>
      <WholeLineage lineage={lineage} />
      <ShowOlder older={older} rows="agents" />
      <Trouble error={error} />
    </>
  );
}

/** Joins the loaded parts of a lineage. Each later part has older agents and older handoffs. */
function joined(pages: readonly Lineage[]): Lineage | undefined {
  const [newest] = pages;
  if (newest === undefined) return undefined;
  return {
    ...newest,
    agents: pages.toReversed().flatMap(({ agents }) => agents),
    handoffs: pages.flatMap(({ handoffs }) => handoffs),
  };
}

function WholeLineage({ lineage }: { readonly lineage: Lineage }) {
  const chains = useMemo(() => layOutLineage(lineage), [lineage]);
  const { persona, agents, handoffs } = lineage;
  return (
    <>
      <PageTitle
        back={{ to: `/personas/${persona.slug}`, title: `Persona ${persona.name}` }}
        title={`Lineage of ${persona.name}`}
        note={visible(`${persona.role} · ${summary(chains, agents.filter(isLive).length)}`)}
      />
      {agents.length === 0 ? (
        <Empty title="No agents yet">Start an agent with this persona on the Agents page.</Empty>
      ) : (
        <Column>
          <Section title="Timeline">
            <div className="space-y-3">
              {chains.map((chain) => (
                <Panel key={chain.agents[0]?.agent.id}>
                  <ChainGraph chain={chain} />
                </Panel>
              ))}
            </div>
          </Section>
          <Section title="Open points">
            <OpenPoints slug={persona.slug} />
          </Section>
          <Section title="Agents and documents">
            <LineageList agents={chains.flatMap((chain) => chain.agents)} handoffs={handoffs} />
          </Section>
        </Column>
      )}
    </>
  );
}

function summary(chains: readonly Chain[], live: number): string {
  const generations = Math.max(0, ...chains.map((chain) => chain.generations));
  const gaps = chains.flatMap(({ edges }) => edges).filter((edge) => gapOf(edge) !== null).length;
  return [
    count(generations, 'generation'),
    live === 0 ? 'none live' : `${live} live`,
    gaps === 0 ? 'no gaps' : count(gaps, 'gap'),
  ].join(' · ');
}

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`;
