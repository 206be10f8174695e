import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, Run } from '../../../../contract/resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { CliFault } from '../../cli-fault.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { getAgents } from '../../client/look-up.ts';
import { awaitAgent, isOver } from '../../handoffs/watch/await-agent.ts';
import type { DemoServer } from '../demo-server.ts';
import type { DemoPlaces } from './demo-places.ts';
import { leftProcesses } from './left-processes.ts';

export interface Remains {
  readonly places: DemoPlaces;
  /**
   * The demo's own server. Undefined if the demo used the operator's running server; the cleanup then ends only the
   * agents of the demo.
   */
  readonly server: DemoServer | undefined;
  readonly api: ApiClient;
  readonly keep: boolean;
}

const LEAVING_MS = 5_000;

/** Ends everything that the demo started, and returns the ids of the processes that are still left. */
export async function cleanUp({ places, server, api, keep }: Remains): Promise<number[]> {
  const { root, home, project } = places;
  const ours = project === undefined ? [] : await endAgents(api, project);
  await server?.stop();
  if (server !== undefined) spawnSync('tmux', ['-S', join(home, 'tmux.sock'), 'kill-server'], { stdio: 'ignore' });
  const folders = ours.map((id) => `${join(home, 'agents', String(id))}/`);
  const left = await leftProcesses(root === undefined ? folders : [root]);
  // Remove Baton's home last, because an agent whose terminal was closed still runs its last hooks, which write into
  // the home.
  const made = root ?? project;
  if (!keep && made !== undefined) rmSync(made, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  return left;
}

/**
 * Ends all agents in the demo's project and returns their ids. An agent that does not end now is killed later, together
 * with the demo's tmux server.
 */
async function endAgents(api: ApiClient, project: string): Promise<number[]> {
  const all = (await orNothing(getAgents(api)))?.data.agents ?? [];
  const ours = all.filter((agent) => agent.project.path === project);
  for (const agent of ours.filter((each) => !isOver(each))) await endAgent(api, agent);
  return ours.map(({ id }) => id);
}

async function endAgent(api: ApiClient, { id, run_id }: Agent): Promise<void> {
  if (run_id !== null) await orNothing(api.post(PATHS.runAction(run_id, 'cancel'), {}, Run));
  for (const force of [false, true]) {
    if ((await orNothing(api.post(PATHS.stopAgent(id), { force }, Agent))) === undefined) return;
    const waiting = { timeoutMs: LEAVING_MS, what: 'gone' };
    if ((await orNothing(awaitAgent(api, id, isOver, waiting))) !== undefined) return;
  }
}

/** Sends a request. Returns undefined if the server refuses the request or is gone, so that the cleanup continues. */
async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CliFault) return undefined;
    throw error;
  }
}
