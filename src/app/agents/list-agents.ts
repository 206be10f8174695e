import { AGENT_STATES, type Agent, type AgentState } from '../../domain/agents/agent.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Ports } from '../ports/index.ts';
import type { Page, Tx } from '../ports/store.ts';
import { type AgentFilter, type AgentMatch, isAgentWanted } from './agent-filter.ts';

/** A request for a list of agents. The values are still unparsed text from the caller. */
export interface WantedAgents {
  /** If given, selects only agents with these ids. */
  readonly ids?: readonly number[] | undefined;
  readonly isLiveOnly: boolean;
  /** The names of the wanted states, separated by commas. */
  readonly state?: string | undefined;
  /** The id or the name of a project. */
  readonly project?: string | undefined;
  /** The slug of a persona. */
  readonly persona?: string | undefined;
  /** A text to search for in the agent's number, persona, project and runtime. */
  readonly text?: string | undefined;
}

/** Returns the requested agents: the agents with the given ids, all live agents, or one page of all agents. */
export function listAgents(
  { store, runtimes }: Pick<Ports, 'store' | 'runtimes'>,
  wanted: WantedAgents,
  page: Page,
): readonly Agent[] | Refusal {
  return store.read((tx) => {
    const filter = filterFrom(tx, [...runtimes.keys()], wanted);
    if (isRefusal(filter)) return filter;
    const { ids, isLiveOnly } = wanted;
    if (ids === undefined && !isLiveOnly) return tx.agents(page, filter);
    const live = tx.liveAgents();
    const all = ids === undefined ? live : found(tx, ids).filter(({ id }) => !isLiveOnly || isIn(live, id));
    return all.filter((agent) => isAgentWanted(agent, filter));
  });
}

const found = (tx: Tx, ids: readonly number[]): readonly Agent[] =>
  [...new Set(ids)].map((id) => tx.agentById(id)).filter((agent) => agent !== undefined);

const isIn = (agents: readonly Agent[], id: number): boolean => agents.some((agent) => agent.id === id);

const bad = (sentence: string): Refusal => ({ code: 'bad_request', sentence });

function filterFrom(tx: Tx, runtimes: readonly string[], wanted: WantedAgents): AgentFilter | Refusal {
  const states = wanted.state?.split(',').map((state) => state.trim());
  const unknown = states?.find((state) => !AGENT_STATES.includes(state as AgentState));
  if (unknown !== undefined)
    return bad(`"${unknown}" is not a state of an agent; the states are ${AGENT_STATES.join(', ')}`);
  const project =
    wanted.project === undefined
      ? undefined
      : tx.projects().find(({ id, name }) => wanted.project === String(id) || wanted.project === name);
  if (wanted.project !== undefined && project === undefined) return bad(`There is no project "${wanted.project}"`);
  const persona = wanted.persona === undefined ? undefined : tx.personaBySlug(wanted.persona);
  if (wanted.persona !== undefined && persona === undefined) return bad(`There is no persona "${wanted.persona}"`);
  return {
    states: states as readonly AgentState[] | undefined,
    projectId: project?.id,
    personaId: persona?.id,
    anyOf: wanted.text === undefined ? undefined : matchesOf(tx, runtimes, wanted.text),
  };
}

function matchesOf(tx: Tx, runtimes: readonly string[], text: string): AgentMatch {
  const wanted = text.trim().toLowerCase();
  const has = (...texts: readonly string[]): boolean => texts.some((each) => each.toLowerCase().includes(wanted));
  const number = /^(?:agent[ -]?)?(\d{1,15})$/.exec(wanted)?.[1];
  return {
    ids: number === undefined ? [] : [Number(number)],
    personaIds: tx.personas().flatMap(({ id, slug, name, role }) => (has(slug, name, role) ? [id] : [])),
    projectIds: tx.projects().flatMap(({ id, name }) => (has(name) ? [id] : [])),
    runtimes: runtimes.filter((runtime) => has(runtime)),
  };
}
