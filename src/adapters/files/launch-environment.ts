import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The file with an agent's variables, inside its folder. Secrets are in it, so it lies there only while the agent starts. */
export const environmentFile = (agentFolder: string): string => join(agentFolder, 'environment');

/** Longer than a script of six lines takes on any machine. */
const STARTED_MS = 60_000;

/** The script takes it away itself; where it was never run, or an earlier try had started the agent, this does. */
export function removeLater(agentFolder: string): void {
  setTimeout(() => void removeEnvironment(agentFolder), STARTED_MS).unref();
}

/** What a Baton that was killed left behind, half-written or whole. One of a moment ago may be about to be read. */
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

/** Also what a writer that was killed left beside it. */
async function filesIn(agentFolder: string): Promise<readonly string[]> {
  const names = await readdir(agentFolder).catch(() => []);
  return names
    .filter((name) => name === 'environment' || /^environment\..*\.tmp$/.test(name))
    .map((name) => join(agentFolder, name));
}
