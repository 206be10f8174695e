import { describe, expect, it } from 'vitest';
import type { By, Graph } from '../walk/explore.ts';
import { isEnd, type Part, walk } from '../walk/handoff-system.ts';
import type { Budget, Kind, State } from '../walk/state.ts';

/**
 * Explores every possible order of events under the real rules. The events are actions of agents and of the operator,
 * hooks, effects, observations, faults, and the passing of time. `budget` limits how often each rare event happens.
 * `walk/properties.ts` checks every state. This test checks that no run gets stuck.
 */
interface Walk {
  readonly part: Part;
  readonly world: Kind;
  readonly budget: Partial<Budget>;
  /** The minimum number of states. With fewer states, too little was explored. */
  readonly atLeast: number;
  /** If true, the exploration takes minutes and runs only with BATON_WALK=deep. */
  readonly deep?: boolean;
}

const HOOKS = { lose: 1, double: 1, hold: 1 } as const;
const WALKS: readonly Walk[] = [
  { part: 'whole', world: 'timeless', budget: { lose: 1 }, atLeast: 12_000 },
  { part: 'outgoing', world: 'timeless', budget: { crash: 2, ...HOOKS }, atLeast: 40_000 },
  { part: 'outgoing', world: 'timeless', budget: { user: 1, lose: 1, hold: 1 }, atLeast: 33_000 },
  { part: 'outgoing', world: 'timeless', budget: { unseen: 1, stale: 1, crash: 1, lose: 1 }, atLeast: 29_000 },
  { part: 'outgoing', world: 'timeless', budget: { unreadable: 2, lose: 1, crash: 1 }, atLeast: 23_000 },
  { part: 'outgoing', world: 'timely', budget: { ask: 1, compact: 1, cancel: 1 }, atLeast: 32_000 },
  { part: 'outgoing', world: 'timely', budget: { user: 1 }, atLeast: 28_000 },
  { part: 'outgoing', world: 'timeless', budget: { review: 1, lose: 1, crash: 1 }, atLeast: 15_000 },
  { part: 'outgoing', world: 'any', budget: { misbehave: 1, lose: 1 }, atLeast: 60_000 },
  { part: 'successor', world: 'timeless', budget: { crash: 2, ...HOOKS }, atLeast: 75_000 },
  { part: 'successor', world: 'timeless', budget: { user: 1, lose: 1 }, atLeast: 7_000 },
  { part: 'successor', world: 'timeless', budget: { unseen: 1, stale: 1, crash: 1 }, atLeast: 10_000 },
  { part: 'successor', world: 'timeless', budget: { unreadable: 2, lose: 1, crash: 1 }, atLeast: 21_000 },
  { part: 'successor', world: 'timely', budget: { ask: 1, lose: 1 }, atLeast: 8_000 },
  { part: 'successor', world: 'any', budget: { misbehave: 1, lose: 1 }, atLeast: 34_000 },
  { deep: true, part: 'outgoing', world: 'timeless', budget: { user: 1, crash: 2, ...HOOKS }, atLeast: 900_000 },
  { deep: true, part: 'outgoing', world: 'timely', budget: { lose: 1, crash: 1, ask: 1 }, atLeast: 70_000 },
  { deep: true, part: 'outgoing', world: 'any', budget: { misbehave: 1, ask: 1 }, atLeast: 90_000 },
  { deep: true, part: 'outgoing', world: 'any', budget: { review: 1, misbehave: 1 }, atLeast: 300_000 },
  {
    deep: true,
    part: 'successor',
    world: 'timeless',
    budget: { user: 1, lose: 1, hold: 1, crash: 1 },
    atLeast: 140_000,
  },
  { deep: true, part: 'successor', world: 'any', budget: { misbehave: 1, crash: 1, lose: 1 }, atLeast: 100_000 },
];

const EVERYBODY: readonly By[] = ['baton', 'operator', 'agent', 'hook'];
/**
 * In the world `any`, Baton and the operator alone must be able to end every run, even if the agents do nothing. The
 * operator clicks, answers questions, and sends or removes drafts.
 */
const BATON_ALONE: readonly By[] = ['baton', 'operator'];

const title = ({ part, world, budget }: Walk): string =>
  `${part}, ${world} world, ${Object.entries(budget)
    .map(([what, times]) => `${times} ${what}`)
    .join(', ')}`;

const endsOf = (graph: Graph<State>, part: Part): ReadonlySet<string> =>
  new Set(graph.states.filter(isEnd(part)).map(({ run }) => run?.failure?.code ?? run?.step ?? ''));

describe('all possible orders of events in a handoff', () => {
  it.each(
    WALKS.filter(({ deep }) => !deep || process.env.BATON_WALK === 'deep').map((each) => [title(each), each] as const),
  )(
    'a handoff does not get stuck in any order of events: %s',
    { timeout: 600_000 },
    (name, { part, world, budget, atLeast }) => {
      const graph = walk(part, world, budget);
      console.log(
        `${name}: ${graph.states.length} states, ${graph.transitions} transitions; ends: ${[...endsOf(graph, part)].join(', ')}`,
      );
      const stuck = graph.stuckWith(new Set(world === 'any' ? BATON_ALONE : EVERYBODY));
      expect(stuck === undefined ? 'nobody is stuck' : `stuck after:\n  ${graph.wayTo(stuck)}`).toBe('nobody is stuck');
      expect(graph.states.length).toBeGreaterThanOrEqual(atLeast);
    },
  );
});
