import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Lineage } from '../../../contract/resources.ts';
import { lineageQuery } from '../api/queries.ts';
import { Empty, PageTitle, Panel, Section } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { gapOf, isLive, layOutLineage } from './lay-out-lineage.ts';
import { LineageGraph } from './lineage-graph.tsx';
import { LineageList } from './lineage-list.tsx';

/** The chain of agents that wore a persona, and the documents that passed between them. */
export function LineagePage() {
  const { slug } = useParams({ from: '/personas/$slug/lineage' });
  const { data: lineage, error } = useQuery(lineageQuery(slug));
  if (lineage === undefined)
    return (
      <>
        <PageTitle title="Lineage" />
        {error === null ? <Loading /> : <Trouble error={error} />}
      </>
    );
  return <WholeLineage lineage={lineage} />;
}

function WholeLineage({ lineage }: { readonly lineage: Lineage }) {
  const layout = useMemo(() => layOutLineage(lineage), [lineage]);
  const { persona, agents, handoffs } = lineage;
  return (
    <>
      <PageTitle
        title={`Lineage of ${persona.name}`}
        note={
          <>
            <Link
              to="/personas/$slug"
              params={{ slug: persona.slug }}
              className="text-accent underline underline-offset-2"
            >
              {persona.name}, {persona.role}
            </Link>
            {' · '}
            {summary(layout.generations, agents.filter(isLive).length, layout.edges.filter(gapOf).length)}
          </>
        }
      />
      {agents.length === 0 ? (
        <Empty title="No agent has worn this persona yet">Start one from the first page.</Empty>
      ) : (
        <>
          <Section title="Who followed whom">
            <Panel>
              <LineageGraph layout={layout} />
            </Panel>
          </Section>
          <Section title="Agents and their documents">
            <LineageList layout={layout} handoffs={handoffs} />
          </Section>
        </>
      )}
    </>
  );
}

function summary(generations: number, live: number, gaps: number): string {
  const parts = [
    generations === 1 ? '1 generation' : `${generations} generations`,
    live === 0 ? 'none live' : `${live} live`,
    gaps === 0 ? 'no gaps' : gaps === 1 ? '1 gap' : `${gaps} gaps`,
  ];
  return parts.join(' · ');
}
