import { realpathSync } from 'node:fs';
import { Project, type RunsOn } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import type { Answer, ApiClient } from '../client/api-client.ts';
import { getAgents, getPersonas, getProjects } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { errnoWords } from '../output/errno-words.ts';
import { TICK } from '../output/ink.ts';
import { table } from '../output/table.ts';
import { runsOnInWords } from './runs-on.ts';

export async function addProject(cli: Cli, path: string, name: string | undefined): Promise<number> {
  const answer = await postProject(operatorClient(cli.deps), path, name);
  return showAnswer(cli, answer, (project) => [[TICK, ` Project ${project.id}: ${project.name} in ${project.path}`]]);
}

/** Adds a project. If the server already has a project for this folder, returns that project. */
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

/**
 * Makes git ignore the package archive in the operator's own clone. The command needs no running server, because it
 * changes only files of the clone.
 */
export async function excludeArchive(cli: Cli, path: string): Promise<number> {
  const folder = realFolder(path);
  const done = await cli.deps.excludeArchive(folder).catch((error: Error) => {
    const why = error.message.includes('not a git repository')
      ? `${folder} is not in a git repository`
      : `Baton could not change git's exclude file for ${folder} (${error.message})`;
    throw new CliFault(`Nothing was excluded: ${why}.`, { code: 'bad_project_path' });
  });
  if (cli.json) cli.out.json(done);
  else
    cli.out.print(
      TICK,
      done.added ? ` Added ${done.pattern} to ${done.file}` : ` ${done.file} already has ${done.pattern}`,
    );
  return EXIT.done;
}

export interface DefaultPersonaRequest {
  readonly slug: string | undefined;
  readonly none: boolean;
}

/**
 * Sets the project's default persona. If the operator gives neither a persona nor --none, throws CliFault with a
 * message that names the current default.
 */
export async function defaultPersona(
  cli: Cli,
  project: string,
  { slug: named, none }: DefaultPersonaRequest,
): Promise<number> {
  if (none && named !== undefined) throw usage('Use either a persona or --none.');
  const slug = none ? null : named;
  const api = operatorClient(cli.deps);
  const known = await projectOf(api, project);
  if (slug === undefined) {
    throw new CliFault(
      `The default persona of project ${known.id} (${known.name}) is ${known.default_persona ?? 'not set'}. Name another persona, or use --none.`,
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

export async function projectRunsOn(cli: Cli, named: string, list: readonly RunsOn[]): Promise<number> {
  const api = operatorClient(cli.deps);
  const { id } = await projectOf(api, named);
  const answer = await api.post(PATHS.projectRunsOn(id), { runs_on: list }, Project);
  return showAnswer(cli, answer, ({ name }) => [[TICK, ` Agents of ${name} run on: ${runsOnInWords(list)}`]]);
}

/**
 * Returns the project that the operator named by path or number. If `isIdEnough` is true, a number is not looked up,
 * because the server checks the number in a later request.
 */
export async function knownProject(
  api: ApiClient,
  project: string,
  isIdEnough: boolean,
): Promise<Pick<Project, 'id'> & Partial<Project>> {
  return isIdEnough && /^\d+$/.test(project) ? { id: Number(project) } : projectOf(api, project);
}

/**
 * Chooses the persona of a new agent if the operator named none. If the project has a default persona, returns
 * undefined, because the server applies the default persona. If not, returns the active persona that was last used in
 * the project. Throws CliFault if there is no such persona.
 */
export async function personaFor(
  api: ApiClient,
  { id, default_persona }: Pick<Project, 'id'> & Partial<Project>,
): Promise<string | undefined> {
  if (default_persona != null) return undefined;
  const [{ data: all }, { data: past }] = [await getPersonas(api), await getAgents(api, { page: { limit: 1000 } })];
  const active = all.filter(({ status }) => status === 'active');
  const used = past.agents.filter(({ project }) => project.id === id).toReversed();
  const last = used.find(({ persona }) => active.some(({ slug }) => slug === persona?.slug))?.persona;
  if (last != null) return last.slug;
  const choices = active.map(({ name, slug }) => `${name} (${slug})`).join(', ');
  throw usage(
    active.length === 0
      ? 'No persona exists yet, and an agent without a persona cannot hand off. Register one: baton persona register --role developer --name Con, or start without one: --no-persona'
      : `Name the persona of the agent with --persona: ${choices}. To start without one (no handoffs): --no-persona`,
  );
}

async function projectOf(api: ApiClient, project: string): Promise<Project> {
  if (!/^\d+$/.test(project)) return (await postProject(api, project)).data;
  const found = (await getProjects(api)).data.find(({ id }) => id === Number(project));
  if (found === undefined) throw new CliFault(`Project ${project} not found`, { code: 'project_not_found' });
  return found;
}

/**
 * Returns the absolute path of a folder, with symbolic links resolved. The server has another working directory, so a
 * relative path would mean another folder there. Throws CliFault if the folder cannot be opened.
 */
export function realFolder(path: string): string {
  // Refuse an empty path. Otherwise a script with `--project "$UNSET"` would silently use the current folder.
  if (path === '') throw usage('Name the project folder; "." is the current folder.');
  try {
    return realpathSync(path);
  } catch (error) {
    throw new CliFault(`Cannot open the project folder ${path}: ${errnoWords(error)}.`, { code: 'bad_project_path' });
  }
}

const usage = (sentence: string): CliFault => new CliFault(sentence, { code: 'usage', exitCode: EXIT.usage });
