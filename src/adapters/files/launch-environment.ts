import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns the path of the file with an agent's variables. The file holds secrets, so it exists only while the agent
 * starts.
 */
export const environmentFile = (agentFolder: string): string => join(agentFolder, 'environment');

/**
 * Even on a slow machine, a launch script reads the file with the agent's variables within this time. Baton removes
 * this file only after this time.
 */
const STARTED_MS = 60_000;

/**
 * Removes the file with an agent's variables after a delay. Usually the launch script has removed the file by then. The
 * file is left over if the script did not run, for example because an earlier attempt had already started the agent.
 */
export function removeLater(agentFolder: string): void {
  setTimeout(() => void removeEnvironment(agentFolder), STARTED_MS).unref();
}

/**
 * Removes files with agents' variables that a killed Baton left, including half-written ones. Waits before it removes a
 * recent file, because a launch script may be about to read the file.
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

/** Lists the files with agents' variables, including temporary files of a killed writer. */
async function filesIn(agentFolder: string): Promise<readonly string[]> {
  const names = await readdir(agentFolder).catch(() => []);
  return names
    .filter((name) => name === 'environment' || /^environment\..*\.tmp$/.test(name))
    .map((name) => join(agentFolder, name));
}
