import { useQueries, useQuery } from '@tanstack/react-query';
import type { WorkflowSteps, WorkflowView } from '../../../contract/packages/workflow.ts';
import type { Project } from '../../../contract/resources.ts';
import { stateLook } from '../../../contract/words/package-state-words.ts';
import { workflowQuery } from '../api/package-queries.ts';
import { usePartyNames } from '../api/party-names.ts';
import { projectsQuery } from '../api/queries.ts';
import { PackageLink } from '../packages/package-state.tsx';
import { Badge } from '../parts/badge.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Column, Empty, PageTitle, Panel, Section } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';

const BACK = { to: '/packages', title: 'Packages' };

/** The workflow of each project: its steps in order, and the work that is at each step now. */
export function WorkflowsPage() {
  const projects = useQuery(projectsQuery);
  const views = useQueries({ queries: (projects.data ?? []).map(({ id }) => workflowQuery(id)) });
  const isPending = projects.isPending || views.some((view) => view.isPending);
  const error = projects.error ?? views.find((view) => view.error !== null)?.error ?? null;
  const shown = (projects.data ?? []).flatMap((project, index) => {
    const view = views[index]?.data;
    return view !== undefined && (view.workflow !== null || view.problem !== null) ? [{ project, view }] : [];
  });
  return (
    <Column>
      <PageTitle
        back={BACK}
        title="Workflows"
        note="The order in which the agents of a project pass on work, and where the work is now."
      />
      <Trouble error={error} />
      {isPending && error === null && <Loading what="Loading workflows" />}
      {!isPending && error === null && shown.length === 0 && (
        <Empty title="No workflows yet">
          Write the steps of a project into its file <code className="font-mono">.project/workflow.yaml</code>.
          docs/PROTOCOL.md describes the file.
        </Empty>
      )}
      {shown.map(({ project, view }) => (
        <ProjectWorkflow key={project.id} project={project} view={view} />
      ))}
    </Column>
  );
}

function ProjectWorkflow({ project, view }: { readonly project: Project; readonly view: WorkflowView }) {
  const { workflow, problem, path, chains } = view;
  const title = workflow === null ? project.name : `${project.name}: ${workflow.name}`;
  return (
    <Section
      title={visible(title)}
      aside={<span className="min-w-0 truncate font-mono text-xs text-muted">{visible(path)}</span>}
    >
      {problem !== null && (
        <p role="alert" className="rounded-lg border border-red/40 bg-red-soft px-4 py-3 wrap-anywhere text-red">
          The file is invalid{problem.line !== null && ` in line ${problem.line}`}: {visible(problem.sentence)}
        </p>
      )}
      {workflow !== null && (
        <Panel>
          <ol aria-label={visible(`Steps of the workflow ${workflow.name}`)} className="divide-y divide-line">
            {workflow.steps.map((step, index) => (
              <Step
                key={String(step.step)}
                step={step}
                number={index + 1}
                chains={chains.filter(({ current_step }) => current_step === step.step)}
              />
            ))}
          </ol>
        </Panel>
      )}
    </Section>
  );
}

function Step({
  step: { step, agent, deliverable, gate },
  number,
  chains,
}: {
  readonly step: WorkflowSteps['steps'][number];
  readonly number: number;
  readonly chains: WorkflowView['chains'];
}) {
  const called = usePartyNames();
  return (
    <li className="grid gap-x-8 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,1fr)_auto] md:px-5">
      <div className="flex min-w-0 gap-3">
        <span aria-hidden="true" className="w-6 shrink-0 text-right text-muted tabular-nums">
          {number}
        </span>
        <div className="min-w-0 wrap-anywhere">
          <p className="font-semibold">{visible(String(step))}</p>
          <p className="text-sm text-muted" title={visible(agent)}>
            {visible(called(agent))}
          </p>
          {deliverable !== null && <p className="text-sm">{visible(deliverable)}</p>}
          {gate !== null && (
            <p className="mt-1 text-sm text-muted">
              {gate.type === 'blocking' ? 'Gate after this step: ' : 'Gate without a stop: '}
              {visible(gate.name)}
            </p>
          )}
        </div>
      </div>
      {chains.length > 0 && (
        <ul className="min-w-0 space-y-1 text-sm max-md:pl-9">
          {chains.map((chain) => (
            <li key={chain.root} className="flex flex-wrap items-center gap-x-3 gap-y-1 md:justify-end">
              <PackageLink id={chain.package} />
              <StateWord state={chain.state} />
              {chain.gate !== null && <span className="text-amber">waits at the gate {visible(chain.gate)}</span>}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function StateWord({ state }: { readonly state: string }) {
  const { word, tone } = stateLook(state);
  return <Badge tone={tone}>{word}</Badge>;
}
