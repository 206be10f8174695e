import { realpathSync } from 'node:fs';
import { Project } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import type { Answer, ApiClient } from '../client/api-client.ts';
import { getProjects } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { TICK } from '../output/ink.ts';
import { table } from '../output/table.ts';

export async function addProject(cli: Cli, path: string, name: string | undefined): Promise<number> {
  const answer = await postProject(operatorClient(cli.deps), path, name);
  return showAnswer(cli, answer, (project) => [[TICK, ` Project ${project.id}: ${project.name} in ${project.path}`]]);
}

/** Adds a project. If the server already knows its folder, the answer is the existing project. */
export function postProject(api: ApiClient, path: string, name?: string): Promise<Answer<Project>> {
  const real = realFolder(path);
  return api.post(PATHS.projects, { path: real, ...(name === undefined ? {} : { name }) }, Project);
}

export async function listProjects(cli: Cli): Promise<number> {
  const answer = await getProjects(operatorClient(cli.deps));
  return showAnswer(cli, answer, (projects) =>
    projects.length === 0
      ? [['No projects yet. Add one: baton project add .']]
      : table(
          ['id', 'name', 'default persona', 'path'],
          projects.map(({ id, name, default_persona, path }) => [String(id), name, default_persona ?? '-', path]),
        ),
  );
}

export interface DefaultPersonaRequest {
  readonly slug: string | undefined;
  readonly none: boolean;
}

/** Sets the project's default persona. With neither a persona nor --none, only prints the current default. */
export async function defaultPersona(
  cli: Cli,
  project: string,
  { slug: named, none }: DefaultPersonaRequest,
): Promise<number> {
  if (none && named !== undefined) throw usage('Use either a persona or --none.');
  const slug = none ? null : named;
  const api = operatorClient(cli.deps);
  const known = await knownProject(api, project);
  if (slug === undefined) {
    throw new CliFault(
      `The default persona of project ${known.id} (${known.name}) is ${known.default_persona ?? 'not set'}. Name another one, or use --none.`,
      { code: 'bad_request' },
    );
  }
  const answer = await api.post(PATHS.defaultPersona(known.id), { persona: slug }, Project);
  return showAnswer(cli, answer, ({ id, name, default_persona }) => [
    [
      TICK,
      default_persona === null
        ? ` Project ${id} (${name}) has no default persona`
        : ` The default persona of project ${id} (${name}) is ${default_persona}`,
    ],
  ]);
}

async function knownProject(api: ApiClient, project: string): Promise<Project> {
  if (!/^\d+$/.test(project)) return (await postProject(api, project)).data;
  const found = (await getProjects(api)).data.find(({ id }) => id === Number(project));
  if (found === undefined) throw new CliFault(`Project ${project} not found`, { code: 'project_not_found' });
  return found;
}

/** Resolves `.` and links here, because the server has another working directory. Throws CliFault on failure. */
export function realFolder(path: string): string {
  // Without this check, `--project "$UNSET"` would mean the folder that the script happens to run in.
  if (path === '') throw usage('Name the project folder; "." is the current folder.');
  try {
    return realpathSync(path);
  } catch (error) {
    throw new CliFault(`Cannot open the project folder ${path}: ${(error as Error).message}`, {
      code: 'bad_project_path',
    });
  }
}

const usage = (sentence: string): CliFault => new CliFault(sentence, { code: 'usage', exitCode: EXIT.usage });
