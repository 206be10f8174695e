import type { QueryClient } from '@tanstack/react-query';
import type { Agent, Run } from '../../../contract/resources.ts';
import { onMachine, PATHS } from '../../../contract/routes.ts';
import { get } from './call.ts';
import { machineOf } from './machine-clients.ts';

/** The fields of a query's context that say which machine to ask, and when to abort the request. */
export interface From {
  readonly client: QueryClient;
  readonly signal?: AbortSignal;
}

/** Sends a GET request to the machine that the query client belongs to. */
export function ask<T>(path: string, { client, signal }: From): Promise<T> {
  const machine = machineOf(client);
  return get<T>(machine === null ? path : onMachine(machine, path), signal);
}

/** Asks for agents. The label of an agent on another machine names the machine, so that no button hides the machine. */
export async function askAgents(query: string, from: From): Promise<Agent[]> {
  const { agents } = await ask<{ agents: Agent[] }>(`${PATHS.agents}?${query}`, from);
  return agents.map((agent) => labeled(agent, from));
}

/**
 * Asks for one agent. The last known agents of another machine are asked first, because they are known here also while
 * that machine is away.
 */
export async function askAgent(id: number, from: From): Promise<Agent> {
  const known = machineOf(from.client) === null ? [] : await askAgents(`ids=${id}`, from);
  return known[0] ?? labeled(await ask<Agent>(PATHS.agent(id), from), from);
}

/** Asks for one handoff, first among the last known handoffs of another machine. */
export async function askRun(id: number, from: From): Promise<Run> {
  const known =
    machineOf(from.client) === null ? [] : (await ask<{ runs: Run[] }>(`${PATHS.runs}?ids=${id}`, from)).runs;
  return known[0] ?? ask<Run>(PATHS.run(id), from);
}

function labeled(agent: Agent, { client }: From): Agent {
  const machine = machineOf(client);
  return machine === null ? agent : { ...agent, label: `${agent.label} on ${machine}` };
}
