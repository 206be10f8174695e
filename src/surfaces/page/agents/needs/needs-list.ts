import type { Agent, InboxItem } from '../../../../contract/resources.ts';
import { compareNeeds } from '../../../../contract/words/agent-orders.ts';

/** One entry of the list "Needs you": a live agent, or an inbox item that is not shown on the card of a live agent. */
export type NeedEntry =
  | { readonly key: string; readonly agent: Agent }
  | { readonly key: string; readonly item: InboxItem };

type Ranked = NonNullable<Parameters<typeof compareNeeds>[0]>;

const rankOf = ({ severity = 'notice', opened_at }: InboxItem): Ranked => ({ severity, since: opened_at });

/**
 * Returns everything that needs the operator, worst first, without notices. Each agent appears once, with its worst
 * need. An inbox item about a package is a separate entry, because an agent's card does not show the form for the
 * package.
 */
export function needsList(live: readonly Agent[], items: readonly InboxItem[]): readonly NeedEntry[] {
  const agents = new Map(live.map((agent) => [agent.id, agent]));
  const found = new Map<string, { readonly entry: NeedEntry; readonly rank: Ranked }>();
  const add = (entry: NeedEntry, rank: Ranked): void => {
    const known = found.get(entry.key);
    if (rank.severity !== 'notice' && (known === undefined || compareNeeds(rank, known.rank) < 0))
      found.set(entry.key, { entry, rank });
  };
  const addAgent = (agent: Agent, rank: Ranked): void => add({ key: `agent ${agent.id}`, agent }, rank);
  for (const item of items) {
    const agent = item.package_id ? undefined : (agents.get(item.agent_id ?? 0) ?? successorWith(live, item));
    if (agent === undefined) add({ key: `item ${item.id}`, item }, rankOf(item));
    else addAgent(agent, rankOf(item));
  }
  // Agents to which Baton suggests a handoff are listed even without an inbox item.
  for (const agent of live) if (agent.needs?.item_id === null) addAgent(agent, agent.needs);
  return [...found.values()].sort((one, other) => compareNeeds(one.rank, other.rank)).map(({ entry }) => entry);
}

/**
 * Finds the live successor that this inbox item is about. The item itself may name only the predecessor, which has
 * ended.
 */
const successorWith = (live: readonly Agent[], { id }: InboxItem): Agent | undefined =>
  live.find(({ needs }) => needs?.item_id === id);
