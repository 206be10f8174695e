import { isOver, type Step } from '../../../src/domain/handoffs/run.ts';
import { agentMoves } from './agent-moves.ts';
import { effectMoves } from './effect-moves.ts';
import { explore, type Graph, type Move } from './explore.ts';
import { hookMoves } from './hook-moves.ts';
import { lookMoves, timeMoves } from './look-moves.ts';
import { operatorMoves } from './operator-moves.ts';
import { checkLeftovers, checkOver } from './properties.ts';
import { record } from './record.ts';
import { type Budget, type Kind, keyOf, RUN_ID, type State, startOf } from './state.ts';

/**
 * The part of a handoff whose states are explored. The outgoing agent and the successor hardly affect each other. One
 * agent's part has fewer states than the whole handoff, so its exploration can include more faults.
 */
export type Part = 'outgoing' | 'successor' | 'whole';

const MOVES = [effectMoves, hookMoves, agentMoves, lookMoves, operatorMoves, timeMoves] as const;
const FIRST_OF_SUCCESSOR: Step = 'creating_successor';

export const isEnd =
  (part: Part) =>
  ({ run }: State): boolean =>
    run !== null && (isOver(run) || (part === 'outgoing' && run.step === FIRST_OF_SUCCESSOR));

function movesFrom(part: Part, state: State): readonly Move<State>[] {
  if (!isEnd(part)(state)) return MOVES.flatMap((moves) => moves(state));
  if (state.run !== null && isOver(state.run)) stayOver(state);
  return [];
}

function stayOver(state: State): void {
  checkLeftovers(state);
  const coming = state.processes.flatMap(({ hooks, late }) => [...hooks, ...late]);
  for (const fact of [...coming, { type: 'clock_ticked', runId: RUN_ID } as const])
    checkOver(state, record(state, fact));
}

export function walk(part: Part, world: Kind, budget: Partial<Budget>): Graph<State> {
  const start = startOf(world, budget);
  return walkFrom(part, part === 'successor' ? { ...start, ...handedOver(start) } : start);
}

const walkFrom = (part: Part, start: State): Graph<State> =>
  explore({ start, key: keyOf, moves: (state) => movesFrom(part, state), isEnd: isEnd(part) });

let handedOverBefore: State | undefined;

/**
 * Returns the state in which the successor's part begins. All hooks of the outgoing agent have then arrived. Late hooks
 * of the outgoing agent occur only if the whole handoff is explored.
 */
function handedOver({ world, budget }: State): State {
  handedOverBefore ??= walkFrom('outgoing', startOf('timeless', {})).states.find(
    ({ run, wishes, processes }) =>
      run?.step === FIRST_OF_SUCCESSOR && wishes.length === 1 && processes[0]?.hooks.length === 0,
  );
  if (handedOverBefore === undefined) throw new Error('no state at which the successor begins');
  return { ...handedOverBefore, world, budget };
}
