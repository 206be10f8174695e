import type { QueryClient } from '@tanstack/react-query';
import type { Agent, Run } from '../../../contract/resources.ts';
import { onMachine, PATHS } from '../../../contract/routes.ts';
import { get } from './call.ts';
import { machineOf } from './machine-clients.ts';

/**
 * The parts of a query's context that a request needs. The query client decides to which machine the request is sent,
 * and the signal can abort the request.
 */
export interface From {
  readonly client: QueryClient;
  readonly signal?: AbortSignal;
}

/** Sends a GET request to the machine that the query client belongs to. */
export function ask<T>(path: string, { client, signal }: From): Promise<T> {
  const machine = machineOf(client);
  return get<T>(machine === null ? path : onMachine(machine, path), signal);
}

/**
 * Fetches agents. Adds the machine's name to the label of another machine's agent, so that the labels of buttons
 * contain the machine's name, too.
 */
export async function askAgents(query: string, from: From): Promise<Agent[]> {
  const { agents } = await ask<{ agents: Agent[] }>(`${PATHS.agents}?${query}`, from);
  return agents.map((agent) => labeled(agent, from));
}

/**
 * Fetches one agent. For an agent of another machine, first looks among the last known agents of that machine. The last
 * known agents are stored on this machine, so they can be shown even while the other machine cannot be reached.
 */
export async function askAgent(id: number, from: From): Promise<Agent> {
  const known = machineOf(from.client) === null ? [] : await askAgents(`ids=${id}`, from);
  return known[0] ?? labeled(await ask<Agent>(PATHS.agent(id), from), from);
}

/** Fetches one handoff. For a handoff of another machine, first looks among the last known handoffs of that machine. */
export async function askRun(id: number, from: From): Promise<Run> {
  const known =
    machineOf(from.client) === null ? [] : (await ask<{ runs: Run[] }>(`${PATHS.runs}?ids=${id}`, from)).runs;
  return known[0] ?? ask<Run>(PATHS.run(id), from);
}

function labeled(agent: Agent, { client }: From): Agent {
  const machine = machineOf(client);
  return machine === null ? agent : { ...agent, label: `${agent.label} on ${machine}` };
}
