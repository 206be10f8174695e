import { compareNeeds } from '../../domain/inbox/severity.ts';
import type { Agent } from '../resources.ts';

export { compareNeeds };

const byName = (one: Agent, other: Agent): number => one.label.localeCompare(other.label) || one.id - other.id;

const byProject = (one: Agent, other: Agent): number => one.project.name.localeCompare(other.project.name);

/**
 * Functions that compare two agents to sort a list. Each key is a value of the `sort` parameter. Server and page share
 * these functions.
 */
export const AGENT_ORDERS = {
  need: (one: Agent, other: Agent) =>
    compareNeeds(one.needs, other.needs) || byProject(one, other) || one.id - other.id,
  name: byName,
  project: (one: Agent, other: Agent) => byProject(one, other) || byName(one, other),
  context: (one: Agent, other: Agent) => (other.context?.used_percent ?? -1) - (one.context?.used_percent ?? -1),
  active: (one: Agent, other: Agent) => other.last_seen_at.localeCompare(one.last_seen_at),
  started: (one: Agent, other: Agent) => one.id - other.id,
} as const;
export type AgentOrder = keyof typeof AGENT_ORDERS;

export const isAgentOrder = (name: string): name is AgentOrder => Object.hasOwn(AGENT_ORDERS, name);
