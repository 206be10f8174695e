import { describe, expect, it } from 'vitest';
import type { HandoffSummary } from '../../../src/contract/resources.ts';
import { gapOf, type LineageAgent, layOutLineage } from '../../../src/surfaces/page/lineage/lay-out-lineage.ts';

const agent = (id: number, previous: number | null, broughtBack = false): LineageAgent => ({
  id,
  label: 'Ada',
  uuid8: '01234567',
  state: 'ended',
  project: 'p',
  runtime: 'practice',
  previous_agent_id: previous,
  brought_back: broughtBack,
  wore_until: null,
  started_at: '2026-01-01T00:00:00.000Z',
  ended_at: null,
});

const handoff = (from: number, to: number | null, over: Partial<HandoffSummary> = {}): HandoffSummary => ({
  id: from,
  agent_id: from,
  reason: 'shift_end',
  file_path: 'x.md',
  created_at: '2026-01-01T00:00:00.000Z',
  persona: 'ada',
  run_id: from,
  step: 'completed',
  successor_agent_id: to,
  acknowledged: true,
  emergency: false,
  ...over,
});

const places = (agents: readonly LineageAgent[]) =>
  layOutLineage({ agents, handoffs: [] }).map((chain) =>
    chain.agents.map(({ agent: { id }, generation, row }) => [id, generation, row]),
  );

describe('the layout of a lineage', () => {
  it('in the picture of a lineage, each generation has its own column', () => {
    expect(places([agent(1, null), agent(2, 1), agent(3, 2)])).toEqual([
      [
        [1, 0, 0],
        [2, 1, 0],
        [3, 2, 0],
      ],
    ]);
  });

  it('in the picture of a lineage, a resumed predecessor has its own row', () => {
    const [chain] = places([agent(1, null), agent(2, 1, true), agent(3, 1), agent(4, 2)]);
    expect(chain).toEqual([
      [1, 0, 0],
      [3, 1, 0],
      [2, 1, 1],
      [4, 2, 1],
    ]);
  });

  it('in the picture of a lineage, each agent without a known predecessor begins a chain', () => {
    expect(places([agent(1, null), agent(2, 99), agent(3, 1)]).map((chain) => chain.map(([id]) => id))).toEqual([
      [1, 3],
      [2],
    ]);
  });

  it('in the picture of a lineage, no two agents are in the same place', () => {
    const agents = [agent(1, null), agent(2, 1), agent(3, 1), agent(4, 2), agent(5, 2, true), agent(6, 3), agent(7, 5)];
    const all = places(agents).flatMap((chain) => chain.map(([, generation, row]) => `${generation}/${row}`));
    expect(new Set(all).size).toBe(agents.length);
  });

  it('even if the predecessors form a cycle, the picture of a lineage shows every agent', () => {
    expect(
      places([agent(1, 1), agent(2, 3), agent(3, 2)])
        .flat()
        .map(([id]) => id)
        .sort(),
    ).toEqual([1, 2, 3]);
  });

  it('the picture of a lineage with thousands of generations can be drawn', () => {
    const agents = Array.from({ length: 5_000 }, (_, index) => agent(index + 1, index === 0 ? null : index));
    expect(layOutLineage({ agents, handoffs: [] })[0]?.generations).toBe(5_000);
  });
});

describe('the edges of a lineage', () => {
  const gaps = (...handoffs: readonly HandoffSummary[]) =>
    layOutLineage({ agents: [agent(1, null), agent(2, 1), agent(3, 1, true)], handoffs })
      .flatMap(({ edges }) => edges)
      .map((edge) => [edge.kind, gapOf(edge)]);

  it.each([
    [[handoff(1, 2)], 'handoff', null],
    [[handoff(1, 2, { acknowledged: false })], 'handoff', 'not acknowledged'],
    [[handoff(1, 2, { acknowledged: false, step: 'awaiting_acknowledgement' })], 'handoff', null],
    [[handoff(1, 2, { emergency: true })], 'handoff', 'emergency: no document'],
    [[handoff(1, null)], 'unrecorded', 'no record'],
  ] as const)(
    'the line between a predecessor and its successor has a warning if knowledge could have been lost (case %#)',
    (handoffs, kind, gap) => {
      expect(gaps(...handoffs)).toEqual([
        [kind, gap],
        ['brought_back', null],
      ]);
    },
  );
});
