import { resolve } from 'node:path';
import { Environment } from '../../../contract/environment.ts';
import { PATHS } from '../../../contract/routes.ts';
import { ORIGIN_WORDS } from '../../../contract/words/origin-words.ts';
import type { Cli } from '../cli.ts';
import { CliFault } from '../cli-fault.ts';
import type { ApiClient } from '../client/api-client.ts';
import { getProjects } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink } from '../output/ink.ts';
import { table } from '../output/table.ts';
import { when } from '../output/when.ts';

export interface EnvironmentRequest {
  readonly agent?: number | undefined;
  /** The path, name or number of a project. */
  readonly project?: string | undefined;
  readonly refresh?: boolean | undefined;
}

/** Shows the environment that an agent would start with now, in which the server has already masked the secrets. */
export async function showEnvironment(cli: Cli, wanted: EnvironmentRequest): Promise<number> {
  const api = operatorClient(cli.deps);
  const about = await queryFor(api, wanted);
  const answer = wanted.refresh
    ? await api.post(`${PATHS.refreshEnvironment}${about}`, {}, Environment)
    : await api.get(`${PATHS.environment}${about}`, Environment);
  return showAnswer(cli, answer, ({ project, shell, read_at, problems, variables, removed }) => [
    [ink('bold', `Environment of a new agent in ${project === null ? 'any project' : project.path}`)],
    [ink('dim', `  ${read_at === null ? `not read from ${shell} yet` : `read from ${shell} ${when(read_at)}`}`)],
    ...problems.map((problem) => [ink('yellow', `  ${problem}`)]),
    ...table(
      ['variable', 'from', 'value'],
      variables.map(({ name, origin, value }) => [
        name,
        ink('dim', ORIGIN_WORDS[origin]),
        value ?? ink('yellow', 'masked'),
      ]),
    ),
    ...(removed.length === 0 ? [] : [[ink('dim', `  removed: ${removed.join(', ')}`)]]),
  ]);
}

async function queryFor(api: ApiClient, { agent, project }: EnvironmentRequest): Promise<string> {
  if (agent !== undefined) return `?agent=${agent}`;
  if (project === undefined) return '';
  if (/^\d+$/.test(project)) return `?project=${project}`;
  const { data: known } = await getProjects(api);
  const here = known.find(({ path }) => path === resolve(project));
  const [found, ...others] = here === undefined ? known.filter(({ name }) => name === project) : [here];
  if (found === undefined)
    throw new CliFault(`Project ${project} not found; see: baton project list`, { code: 'project_not_found' });
  if (others.length > 0)
    throw new CliFault(
      `Several projects are named ${project}: ${[found, ...others].map(({ id, path }) => `${id} in ${path}`).join(', ')}`,
      { code: 'name_ambiguous', hint: 'Name the project by its number or its folder.' },
    );
  return `?project=${found.id}`;
}
