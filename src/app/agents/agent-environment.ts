import type { AgentEnvironmentSource, EnvironmentOf } from '../ports/agent-environment.ts';
import type { Ports } from '../ports/index.ts';

/** What an agent is started with, without what a session of some agent left in it: with that it would take itself for a part of that one. */
export async function agentEnvironmentOf(ports: Ports, project: EnvironmentOf | null): Promise<AgentEnvironmentSource> {
  const ofSessions = [...ports.runtimes.values()].flatMap(({ ofItsSession }) => ofItsSession ?? []);
  const { variables, removed, problems } = await ports.environment.forProject(project);
  return {
    variables: variables.filter(({ name }) => !ofSessions.includes(name)),
    removed: [...new Set([...removed, ...ofSessions])].sort(),
    problems,
  };
}
