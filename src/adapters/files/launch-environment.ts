import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The file with an agent's variables, inside its folder. It holds secrets, so it exists only while the agent starts.
 */
export const environmentFile = (agentFolder: string): string => join(agentFolder, 'environment');

/** The launch script needs less than this time on any machine. */
const STARTED_MS = 60_000;

/**
 * The launch script removes the file itself. This timer removes the file if the script never ran, or if an earlier
 * attempt had already started the agent.
 */
export function removeLater(agentFolder: string): void {
  setTimeout(() => void removeEnvironment(agentFolder), STARTED_MS).unref();
}

/**
 * Removes complete and half-written files that a killed Baton left. A recent file may be about to be read, so it is
 * removed later.
 */
export async function sweepEnvironments(agentsFolder: string): Promise<void> {
  const agents = await readdir(agentsFolder).catch(() => []);
  for (const agent of agents) {
    const folder = join(agentsFolder, agent);
    const newest = await Promise.all((await filesIn(folder)).map((file) => stat(file).catch(() => undefined)));
    if (newest.length === 0) continue;
    const isFresh = newest.some((file) => file !== undefined && Date.now() - file.mtimeMs < STARTED_MS);
    if (isFresh) removeLater(folder);
    else await removeEnvironment(folder);
  }
}

async function removeEnvironment(agentFolder: string): Promise<void> {
  for (const file of await filesIn(agentFolder)) await rm(file, { force: true }).catch(() => undefined);
}

/** Lists the files with an agent's variables, including temporary files of a killed writer. */
async function filesIn(agentFolder: string): Promise<readonly string[]> {
  const names = await readdir(agentFolder).catch(() => []);
  return names
    .filter((name) => name === 'environment' || /^environment\..*\.tmp$/.test(name))
    .map((name) => join(agentFolder, name));
}
