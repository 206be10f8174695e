import type { Agent } from '../../../../contract/resources.ts';
import { AGENT_ORDERS, type AgentOrder } from '../../../../contract/words/agent-orders.ts';
import { stateInWords } from '../state-words.ts';
import type { AgentGrouping } from './list-look.ts';

/** A filter for live agents. An empty text does not filter. */
export interface LiveFilter {
  readonly q: string;
  readonly state: string;
  readonly project: string;
  readonly persona: string;
}

export const ALL_AGENTS: LiveFilter = { q: '', state: '', project: '', persona: '' };

export const isFiltered = (filter: LiveFilter): boolean => Object.values(filter).some((each) => each.trim() !== '');

/** Returns true if the filter selects the live agent. The server filters the ended agents by the same conditions. */
export function isShown(agent: Agent, { q, state, project, persona }: LiveFilter): boolean {
  if (state !== '' && agent.state !== state) return false;
  if (project !== '' && String(agent.project.id) !== project) return false;
  if (persona !== '' && agent.persona?.slug !== persona) return false;
  const wanted = q.trim().toLowerCase();
  if (wanted === '') return true;
  const number = /^(?:agent[ -]?)?(\d+)$/.exec(wanted)?.[1];
  if (number !== undefined) return Number(number) === agent.id;
  const texts = [agent.label, agent.persona?.role, agent.persona?.slug, agent.project.name, agent.runtime];
  return texts.some((each) => each?.toLowerCase().includes(wanted));
}

export interface AgentGroup {
  readonly key: string;
  /** The heading of the group; empty if the list is not grouped. */
  readonly title: string;
  readonly agents: readonly Agent[];
}

const TITLE: Readonly<Record<AgentGrouping, (agent: Agent) => string>> = {
  none: () => '',
  project: ({ project }) => project.name,
  persona: ({ persona }) => (persona === null ? 'No persona' : `${persona.name} · ${persona.role}`),
  state: ({ state }) => stateInWords(state),
};

/** Sorts agents, and then divides them into groups that are sorted by title. */
export function arranged(agents: readonly Agent[], sort: AgentOrder, group: AgentGrouping): readonly AgentGroup[] {
  const groups = new Map<string, Agent[]>();
  for (const agent of agents.toSorted(AGENT_ORDERS[sort])) {
    const title = TITLE[group](agent);
    // If agents are grouped by project, the group's key contains the project's id, because two projects may have the
    // same name.
    const key = group === 'project' ? `${title} ${agent.project.id}` : title;
    groups.set(key, [...(groups.get(key) ?? []), agent]);
  }
  return [...groups]
    .map(([key, its]) => ({ key, title: its[0] === undefined ? '' : TITLE[group](its[0]), agents: its }))
    .sort((one, other) => one.key.localeCompare(other.key));
}

/**
 * Returns the ids of live agents that have the same label as another live agent. The cards of these agents also show
 * the agent's number.
 */
export function twinsIn(agents: readonly Agent[]): ReadonlySet<number> {
  const first = new Map<string, number>();
  const twins = new Set<number>();
  for (const { id, label } of agents) {
    const other = first.get(label);
    if (other === undefined) first.set(label, id);
    else twins.add(other).add(id);
  }
  return twins;
}
