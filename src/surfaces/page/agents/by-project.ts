import type { Agent } from '../../../contract/resources.ts';

export interface ProjectGroup {
  readonly project: Agent['project'];
  readonly agents: readonly Agent[];
}

/** Sorts projects by name and agents by id, so that no card moves while a person reads it. */
export function byProject(agents: readonly Agent[]): readonly ProjectGroup[] {
  const groups = new Map<number, { project: Agent['project']; agents: Agent[] }>();
  for (const agent of agents) {
    const group = groups.get(agent.project.id) ?? { project: agent.project, agents: [] };
    group.agents.push(agent);
    groups.set(agent.project.id, group);
  }
  const sorted = [...groups.values()].sort((one, other) => one.project.name.localeCompare(other.project.name));
  for (const group of sorted) group.agents.sort((one, other) => one.id - other.id);
  return sorted;
}
