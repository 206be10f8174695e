import type { HandoffSummary, Lineage } from '../../../contract/resources.ts';

export type LineageAgent = Lineage['agents'][number];

export interface PlacedAgent {
  readonly agent: LineageAgent;
  /** The agent's distance from the first agent of its chain. */
  readonly generation: number;
  readonly row: number;
}

export interface Edge {
  readonly from: PlacedAgent;
  readonly to: PlacedAgent;
  readonly kind: 'handoff' | 'brought_back' | 'unrecorded';
  readonly handoff: HandoffSummary | null;
}

/** One chain of agents with all its branches. The chain begins with an agent whose predecessor is not in the list. */
export interface Chain {
  readonly agents: readonly PlacedAgent[];
  readonly edges: readonly Edge[];
  readonly generations: number;
  readonly rows: number;
}

interface Known {
  readonly agents: readonly LineageAgent[];
  readonly handoffs: readonly HandoffSummary[];
}

/** Returns the chains. The chain with the newest agent comes first. */
export function layOutLineage({ agents, handoffs }: Known): readonly Chain[] {
  const followers = followersOf(agents);
  const newest = ({ agents: placed }: Chain): number => Math.max(...placed.map(({ agent }) => agent.id));
  return (followers.get(null) ?? [])
    .map((first) => layOutChain(first, followers, handoffs))
    .sort((one, other) => newest(other) - newest(one));
}

type Followers = ReadonlyMap<number | null, readonly LineageAgent[]>;

/**
 * Gives each generation its own column. The first agent that follows a predecessor stays in the predecessor's row.
 * Every further agent that follows the same predecessor begins a new row.
 */
function layOutChain(first: LineageAgent, followers: Followers, handoffs: readonly HandoffSummary[]): Chain {
  const placed = new Map<number, PlacedAgent>();
  let rows = 1;
  // Use a stack instead of recursion, because a persona may have had thousands of agents. Push followers in reverse
  // order, so that the first one is placed first.
  const waiting = [{ agent: first, generation: 0, row: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { agent, generation } = next;
    const row = next.row >= 0 ? next.row : rows++;
    placed.set(agent.id, { agent, generation, row });
    const after = (followers.get(agent.id) ?? []).map((each, index) => ({
      agent: each,
      generation: generation + 1,
      row: index === 0 ? row : -1,
    }));
    waiting.push(...after.reverse());
  }
  const all = [...placed.values()];
  return {
    agents: all,
    edges: all.flatMap((to) => edgeTo(to, placed, handoffs)),
    generations: Math.max(...all.map(({ generation }) => generation + 1)),
    rows,
  };
}

/**
 * Groups agents by their predecessor. The group `null` has the agents whose predecessor is not in the list. In each
 * group, successors come before resumed agents.
 */
function followersOf(agents: readonly LineageAgent[]): Followers {
  const known = new Set(agents.map(({ id }) => id));
  const followers = new Map<number | null, LineageAgent[]>();
  const inOrder = [...agents].sort(
    (one, other) => Number(one.brought_back) - Number(other.brought_back) || one.id - other.id,
  );
  for (const agent of inOrder) {
    const before = agent.previous_agent_id;
    const key = before !== null && before < agent.id && known.has(before) ? before : null;
    const beside = followers.get(key);
    if (beside === undefined) followers.set(key, [agent]);
    else beside.push(agent);
  }
  return followers;
}

function edgeTo(
  to: PlacedAgent,
  placed: ReadonlyMap<number, PlacedAgent>,
  handoffs: readonly HandoffSummary[],
): Edge[] {
  const before = to.agent.previous_agent_id;
  const from = before === null ? undefined : placed.get(before);
  if (from === undefined || to.generation === 0) return [];
  if (to.agent.brought_back) return [{ from, to, kind: 'brought_back', handoff: null }];
  const handoff = handoffs.find(
    ({ agent_id, successor_agent_id }) => agent_id === before && successor_agent_id === to.agent.id,
  );
  return [{ from, to, kind: handoff === undefined ? 'unrecorded' : 'handoff', handoff: handoff ?? null }];
}

export const isLive = ({ state }: Pick<LineageAgent, 'state'>): boolean => state !== 'ended' && state !== 'lost';

/** Returns why knowledge may have been lost between the two agents of the edge; null if there is no sign of a loss. */
export function gapOf({ kind, handoff }: Pick<Edge, 'kind' | 'handoff'>): string | null {
  if (kind === 'brought_back') return null;
  if (handoff === null) return 'no record';
  if (handoff.emergency) return 'emergency: no document';
  return handoff.acknowledged || !isOverStep(handoff.step) ? null : 'not acknowledged';
}

const isOverStep = (step: string | null): boolean => step === 'completed' || step === 'failed' || step === 'cancelled';
