import type { AgentEnvironmentSource, EnvironmentOf } from '../ports/agent-environment.ts';
import type { Ports } from '../ports/index.ts';

/**
 * Returns the environment for starting an agent. Removes the variables that belong to another agent session; otherwise
 * the new agent would believe that it is part of that session.
 */
export async function agentEnvironmentOf(
  ports: Pick<Ports, 'runtimes' | 'environment'>,
  project: EnvironmentOf | null,
): Promise<AgentEnvironmentSource> {
  const ofSessions = [...ports.runtimes.values()].flatMap(({ ofItsSession }) => ofItsSession ?? []);
  const { variables, removed, problems } = await ports.environment.forProject(project);
  return {
    variables: variables.filter(({ name }) => !ofSessions.includes(name)),
    removed: [...new Set([...removed, ...ofSessions])].sort(),
    problems,
  };
}
