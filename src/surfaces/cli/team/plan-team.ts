import type { Agent, Persona } from '../../../contract/resources.ts';
import type { TeamEntry } from '../../../contract/team.ts';
import { realFolder } from '../agents/projects.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import type { ApiClient } from '../client/api-client.ts';
import { getAgents, getPersonas } from '../client/look-up.ts';

export interface PlannedAgent {
  readonly entry: TeamEntry;
  /** The real path of the project folder. */
  readonly folder: string;
  /** The slug of the persona; null if the persona must be created first. */
  readonly persona: string | null;
  /** The live agent that already has the persona in the project; null if an agent must be started. */
  readonly running: number | null;
}

/**
 * Decides for each entry of the team file whether an agent must be started. Throws CliFault at the first entry with an
 * invalid project or persona.
 */
export async function planTeam(
  api: ApiClient,
  file: string,
  entries: readonly TeamEntry[],
): Promise<readonly PlannedAgent[]> {
  const personas = (await getPersonas(api)).data.filter(({ status }) => status === 'active');
  const { agents } = (await getAgents(api, { live: true })).data;
  return entries.map((entry) => {
    const folder = at(file, entry, () => realFolder(entry.project));
    const persona = at(file, entry, () => personaOf(entry, personas));
    return { entry, folder, persona, running: runningIn(agents, folder, persona) };
  });
}

/**
 * Runs `work` for one entry of the team file. If `work` throws a CliFault, adds the file's name and the entry's line
 * number to the message.
 */
function at<T>(file: string, { line }: TeamEntry, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CliFault)) throw error;
    throw new CliFault(`${file} line ${line}: ${error.body.error}`, { code: 'bad_team', exitCode: EXIT.usage });
  }
}

function personaOf({ name, role }: TeamEntry, personas: readonly Persona[]): string | null {
  const named = personas.filter(
    (persona) => isSame(persona.name, name) && (role === undefined || isSame(persona.role, roleWord(role))),
  );
  const [only, ...others] = named;
  if (others.length > 0)
    throw new CliFault(
      `Several personas are named ${name}${role === undefined ? '' : ` with the role ${roleWord(role)}`}: ${named.map(({ slug }) => slug).join(', ')}. ${
        role === undefined
          ? 'Give the role.'
          : 'Rename one of them (baton persona edit SLUG --name NAME), or archive it (baton persona archive SLUG).'
      }`,
    );
  if (only === undefined && role === undefined)
    throw new CliFault(`No persona is named ${name}. Give the role, so that Baton can create the persona.`);
  return only?.slug ?? null;
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Returns the role as the server stores it, with hyphens between the words. */
const roleWord = (role: string): string => role.trim().replace(/[^A-Za-z0-9]+/g, '-');

const runningIn = (agents: readonly Agent[], folder: string, persona: string | null): number | null =>
  agents.find((agent) => persona !== null && agent.persona?.slug === persona && agent.project.path === folder)?.id ??
  null;
