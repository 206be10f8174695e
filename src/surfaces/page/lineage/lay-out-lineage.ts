import type { HandoffSummary, Lineage } from '../../../contract/resources.ts';

export type LineageAgent = Lineage['agents'][number];

export interface PlacedAgent {
  readonly agent: LineageAgent;
  /** How many agents came before it, along its chain. */
  readonly generation: number;
  readonly row: number;
}

export interface Edge {
  readonly from: PlacedAgent;
  readonly to: PlacedAgent;
  readonly kind: 'handoff' | 'brought_back' | 'unrecorded';
  readonly handoff: HandoffSummary | null;
}

export interface LineageLayout {
  readonly agents: readonly PlacedAgent[];
  readonly edges: readonly Edge[];
  readonly generations: number;
  readonly rows: number;
}

/**
 * One column per generation. The first successor stays on its predecessor's row; who was brought back, or started after
 * a successor that failed, begins a row of its own.
 */
export function layOutLineage({ agents, handoffs }: Pick<Lineage, 'agents' | 'handoffs'>): LineageLayout {
  const placed = new Map<number, PlacedAgent>();
  const followers = followersOf(agents);
  let rows = 0;
  // A stack, not recursion: a persona may have lived for thousands of agents. Reversed, so that the trunk goes first.
  const waiting = [...(followers.get(null) ?? [])].reverse().map((agent) => ({ agent, generation: 0, row: -1 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (placed.has(next.agent.id)) continue;
    const row = next.row >= 0 ? next.row : rows++;
    const { agent, generation } = next;
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
    generations: Math.max(0, ...all.map(({ generation }) => generation + 1)),
    rows,
  };
}

/** By predecessor; null: those whose predecessor wore another persona, or who had none. Successors before brought-back ones. */
function followersOf(agents: readonly LineageAgent[]): ReadonlyMap<number | null, readonly LineageAgent[]> {
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
  if (from === undefined || from === to || to.generation === 0) return [];
  if (to.agent.brought_back) return [{ from, to, kind: 'brought_back', handoff: null }];
  const handoff = handoffs.find(
    ({ agent_id, successor_agent_id }) => agent_id === before && successor_agent_id === to.agent.id,
  );
  return [{ from, to, kind: handoff === undefined ? 'unrecorded' : 'handoff', handoff: handoff ?? null }];
}

export const isLive = ({ state }: Pick<LineageAgent, 'state'>): boolean => state !== 'ended' && state !== 'lost';

/** Why knowledge may have been lost on this way; null if nothing speaks for it. */
export function gapOf({ kind, handoff }: Pick<Edge, 'kind' | 'handoff'>): string | null {
  if (kind === 'brought_back') return null;
  if (handoff === null) return 'no record';
  if (handoff.emergency) return 'emergency: no document';
  return handoff.acknowledged || !isOverStep(handoff.step) ? null : 'not acknowledged';
}

const isOverStep = (step: string | null): boolean => step === 'completed' || step === 'failed' || step === 'cancelled';
