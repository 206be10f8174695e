import { type WorkflowSteps, WorkflowView } from '../../../contract/packages/workflow.ts';
import { PATHS } from '../../../contract/routes.ts';
import { realFolder } from '../agents/projects.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { getPersonas, getProjects } from '../client/look-up.ts';
import { operatorClient, partyClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink, type Part, TICK } from '../output/ink.ts';
import { table } from '../output/table.ts';

export async function showWorkflow(cli: Cli, project: string | undefined): Promise<number> {
  const answer = await partyClient(cli.deps).get(PATHS.workflow(await projectId(cli, project)), WorkflowView);
  const unknown = await unknownAgentLines(cli, answer.data.workflow);
  return showAnswer(cli, answer, (view) => [...lines(view), ...unknown]);
}

/**
 * Returns a warning for each workflow step that can never begin, because no persona and no role has the name of the
 * step's agent. Returns no warnings if the server cannot be asked for the names of the personas.
 */
async function unknownAgentLines(cli: Cli, workflow: WorkflowSteps | null): Promise<readonly (readonly Part[])[]> {
  if (workflow === null || cli.json || cli.deps.shell().agent !== undefined) return [];
  const known = await knownNames(cli);
  if (known === undefined) return [];
  return workflow.steps
    .filter(({ agent }) => !known.has(agent) && !/^agent-\d+$/.test(agent))
    .map(({ step, agent }) => [
      ink('yellow', `Step ${step}: there is no persona or role ${agent}.`),
      ' Create it (baton persona register), or list the personas: baton persona list',
    ]);
}

async function knownNames(cli: Cli): Promise<ReadonlySet<string> | undefined> {
  try {
    const { data } = await getPersonas(operatorClient(cli.deps));
    return new Set(data.filter(({ status }) => status === 'active').flatMap(({ slug, role }) => [slug, role]));
  } catch (error) {
    if (error instanceof CliFault) return undefined;
    throw error;
  }
}

/**
 * Returns the project's id. Throws CliFault for an unknown project. An agent must give the number of its project,
 * because an agent cannot list projects.
 */
async function projectId({ deps }: Cli, project = '.'): Promise<number> {
  if (/^\d+$/.test(project)) return Number(project);
  const path = realFolder(project);
  const known = (await getProjects(partyClient(deps))).data.find((each) => each.path === path);
  if (known !== undefined) return known.id;
  throw new CliFault(`There is no project in ${path}.`, {
    code: 'project_not_found',
    hint: `Add the project: baton project add ${project}`,
    exitCode: EXIT.failed,
  });
}

export async function checkWorkflow(cli: Cli, file: string): Promise<number> {
  const { deps, out, json } = cli;
  const result = await deps.checkWorkflow(file);
  const unknown = await unknownAgentLines(cli, result.workflow);
  if (json) out.json(result);
  else if (result.workflow !== null)
    for (const line of [...stepLines(result.workflow), [TICK, ` ${file} is valid`], ...unknown]) out.print(...line);
  else out.print(...problemLine(file, result.problem));
  return result.ok ? EXIT.done : EXIT.failed;
}

type Problem = { readonly sentence: string; readonly line: number | null } | null;

const problemLine = (file: string, problem: Problem): Part[] => [
  ink('red', 'invalid'),
  ` ${file}${problem?.line == null ? '' : ` line ${problem.line}`}: ${problem?.sentence ?? ''}`,
];

function lines({ workflow, problem, path, chains }: WorkflowView): readonly (readonly Part[])[] {
  if (problem !== null) return [problemLine(path, problem)];
  if (workflow === null) return [[`This project has no workflow. Create one: ${path}`]];
  const rows = chains.map(({ root, current_step, agent, package: id, state, gate }) => [
    root,
    String(current_step),
    agent,
    `${id} ${state}`,
    gate ?? '-',
  ]);
  const standing =
    rows.length === 0
      ? [['No package in this workflow yet.']]
      : table(['chain', 'step', 'agent', 'package', 'gate'], rows);
  return [...stepLines(workflow), [''], ...standing];
}

const stepLines = ({ name, steps }: WorkflowSteps): readonly (readonly Part[])[] => [
  [`Workflow "${name}"`],
  ...table(
    ['step', 'agent', 'deliverable', 'gate after it'],
    steps.map(({ step, agent, deliverable, gate }) => [
      String(step),
      agent,
      deliverable ?? '-',
      gate === null ? '-' : `${gate.name} (${gate.type})`,
    ]),
  ),
];
