import type { Agent, AgentState } from '../../domain/agents/agent.ts';

/** A filter for agents. An omitted field matches every agent. */
export interface AgentFilter {
  readonly states?: readonly AgentState[] | undefined;
  readonly projectId?: number | undefined;
  readonly personaId?: number | undefined;
  /** Matches only agents that have at least one of the listed ids, personas, projects or runtimes. */
  readonly anyOf?: AgentMatch | undefined;
}

export interface AgentMatch {
  readonly ids: readonly number[];
  readonly personaIds: readonly number[];
  readonly projectIds: readonly number[];
  readonly runtimes: readonly string[];
}

export function isAgentWanted(agent: Agent, { states, projectId, personaId, anyOf }: AgentFilter): boolean {
  if (states !== undefined && !states.includes(agent.state)) return false;
  if (projectId !== undefined && agent.projectId !== projectId) return false;
  if (personaId !== undefined && agent.personaId !== personaId) return false;
  return anyOf === undefined || isMatched(agent, anyOf);
}

const isMatched = (
  { id, personaId, projectId, runtime }: Agent,
  { ids, personaIds, projectIds, runtimes }: AgentMatch,
): boolean =>
  ids.includes(id) ||
  (personaId !== null && personaIds.includes(personaId)) ||
  projectIds.includes(projectId) ||
  runtimes.includes(runtime);
