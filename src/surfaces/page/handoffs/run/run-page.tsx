import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { Agent, Run } from '../../../../contract/resources.ts';
import { waitsForApproval } from '../../../../contract/words/step-words.ts';
import { useAgentsNamed } from '../../api/agents-named.ts';
import { useMachine } from '../../api/machine-clients.ts';
import { runQuery } from '../../api/queries.ts';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Column, PageTitle, Section } from '../../parts/panel.tsx';
import { Loading } from '../../parts/spinner.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { AgentLink } from '../agent-link.tsx';
import { RunAcknowledgement } from './run-acknowledgment.tsx';
import { type DocumentView, RunDocument } from './run-document.tsx';
import { RunFindings, RunGit } from './run-findings.tsx';
import { RunOverview } from './run-overview.tsx';
import { RunReview } from './run-review.tsx';
import { RunTexts } from './run-texts.tsx';
import { RunTimeline } from './run-timeline.tsx';

const BACK = { to: '/runs', title: 'Handoffs' };

/** The page of one handoff, with everything that Baton knows about it. */
export function RunPage() {
  const { id } = useParams({ from: '/runs/$id' });
  const { line = null } = useSearch({ from: '/runs/$id' });
  const isHere = useMachine() === null;
  const { data: run, error } = useQuery(runQuery(id));
  if (run === undefined)
    return (
      <Column>
        <PageTitle title={`Handoff ${id}`} back={BACK} />
        {error === null ? <Loading /> : <Trouble error={error} />}
        {error !== null && isHere && (
          <p className="mt-4">
            <Link to="/runs" className="text-accent underline underline-offset-2">
              All handoffs
            </Link>
          </p>
        )}
      </Column>
    );
  // The key gives each run its own component state. Otherwise a line that was selected in the document of one run would
  // be selected in the document of another.
  return <WholeRun key={`${run.id} ${line}`} run={run} line={line} />;
}

function WholeRun({ run, line }: { readonly run: Run; readonly line: number | null }) {
  const agents = useAgentsNamed([run.agent_id, run.successor_agent_id, run.brought_back_agent_id]);
  const [view, setView] = useState<DocumentView>({ tab: line === null ? 'rendered' : 'raw', line });
  const document = useRef<HTMLDivElement>(null);
  const showLine = (line: number): void => {
    setView({ tab: 'raw', line });
    document.current?.scrollIntoView({ block: 'start' });
  };
  // Scroll to the document if the address names a line, as links from the search do.
  useEffect(() => {
    if (line !== null) document.current?.scrollIntoView({ block: 'start' });
  }, [line]);
  return (
    <>
      <PageTitle
        back={BACK}
        title={titleOf(run, agents.get(run.agent_id))}
        note={<Parties run={run} agents={agents} />}
      />
      <RunOverview run={run} agents={agents} />
      <div className="grid items-start gap-x-8 xl:grid-cols-[minmax(0,3fr)_minmax(20rem,2fr)] xl:grid-rows-[auto_1fr]">
        <div className="min-w-0">
          <RunAcknowledgement run={run} />
          <div ref={document} className="scroll-mt-4">
            <Section title="Document">
              {waitsForApproval(run) && <RunReview run={run} />}
              <RunDocument run={run} view={view} onView={setView} />
            </Section>
          </div>
        </div>
        <div className="min-w-0 xl:row-span-2">
          <RunGit run={run} onLine={showLine} />
          <RunFindings run={run} onLine={showLine} />
          <Section title="Timeline">
            <RunTimeline run={run} />
          </Section>
        </div>
        <div className="min-w-0">
          <Section title="Prompts sent">
            <RunTexts run={run} />
          </Section>
        </div>
      </div>
    </>
  );
}

const titleOf = (run: Run, agent: Agent | undefined): string =>
  agent === undefined ? `Handoff ${run.id}` : `Handoff ${run.id} of ${agent.label}`;

function Parties({ run, agents }: { readonly run: Run; readonly agents: ReadonlyMap<number, Agent> }) {
  const agent = agents.get(run.agent_id);
  const isHere = useMachine() === null;
  const { successor_agent_id: successor, brought_back_agent_id: back } = run;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <AgentLink id={run.agent_id} agent={agent} />
      <span aria-hidden="true">→</span>
      <span className="sr-only">to</span>
      {successor === null ? (
        <span>no successor{run.over ? '' : ' yet'}</span>
      ) : (
        <AgentLink id={successor} agent={agents.get(successor)} />
      )}
      {back !== null && (
        <>
          <span>· undone,</span>
          <AgentLink id={back} agent={agents.get(back)} />
          <span>was started to continue the conversation</span>
        </>
      )}
      {isHere && agent?.persona && (
        <Link
          to="/personas/$slug/lineage"
          params={{ slug: agent.persona.slug }}
          className="text-accent underline underline-offset-2"
        >
          Lineage of {visible(agent.persona.name)}
        </Link>
      )}
    </div>
  );
}
