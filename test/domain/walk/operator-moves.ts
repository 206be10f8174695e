import { agentNotFound } from '../../../src/domain/agents/refuse-unreachable.ts';
import { offers } from '../../../src/domain/handoffs/actions.ts';
import { validateRequest } from '../../../src/domain/handoffs/request.ts';
import { isOver, type RunAction } from '../../../src/domain/handoffs/run.ts';
import { isRefusal } from '../../../src/domain/refusals.ts';
import { T0 } from '../handoffs/handoff-kit.ts';
import { submit } from './agent-moves.ts';
import { Broken, type By, type Move } from './explore.ts';
import { click, loadRunContext, record } from './record.ts';
import { agentOf, type Process, RUN_ID, type State, spend, withProcess } from './state.ts';

/** An action of the operator, with its name, its condition and the resulting state. */
interface Action {
  readonly name: string;
  readonly possible: (state: State) => boolean;
  readonly act: (state: State) => State;
  readonly by?: By;
}

const isOffered = (state: State, wanted: RunAction): boolean =>
  state.run !== null &&
  !isOver(state.run) &&
  offers(state.run, loadRunContext(state, T0)).some(({ action }) => action === wanted);

const choose = (state: State, action: RunAction): State =>
  record(state, { type: 'operator_chose', runId: RUN_ID, action });

const ACTIONS: readonly Action[] = [
  { name: 'clicks handoff', possible: mayClick, act: click },
  {
    name: 'cancels',
    possible: (state) => state.budget.cancel > 0 && isOffered(state, 'cancel'),
    act: (state) => choose(spend(state, 'cancel'), 'cancel'),
    by: 'cancel',
  },
  { name: 'approves', possible: (state) => isOffered(state, 'approve'), act: (state) => choose(state, 'approve') },
  {
    name: 'sends it back',
    possible: (state) => state.budget.review > 0 && isOffered(state, 'send_back'),
    act: (state) => choose(spend(state, 'review'), 'send_back'),
  },
];

/**
 * The operator also types into agents directly and answers their questions. Deadlines are paused while a question is
 * open.
 */
function atTheTerminal(
  state: State,
  { agentId, end, up, asking, composer, turn, leaving }: Process,
): readonly Action[] {
  if (end !== null || !up) return [];
  const change = (name: string, to: (now: State) => State): Action => ({
    name: `${name} agent ${agentId}`,
    possible: () => true,
    act: to,
  });
  if (asking) return [change('answers', (now) => withProcess(now, agentId, { asking: false }))];
  if (composer?.what === 'user' || (composer !== null && isLeftBehind(state, composer.ref)))
    return [
      change('sends the draft to', (now) => submit(now, agentId)),
      change('removes the draft from', (now) => withProcess(now, agentId, { composer: null })),
    ];
  if (state.budget.user === 0 || composer !== null || turn !== null || leaving !== null) return [];
  const draft = { composer: { what: 'user', ref: '' } } as const;
  return [change('types a draft to', (now) => withProcess(spend(now, 'user'), agentId, draft))];
}

/**
 * Returns whether a policy hook has put the text with the reference `ref`, which Baton had sent, back into the
 * composer. In the composer, the text looks like any other draft.
 */
const isLeftBehind = ({ world, wishes }: State, ref: string): boolean =>
  world === 'any' &&
  !wishes.some(({ effect, stage }) => stage !== 'performed' && 'ref' in effect && effect.ref === ref);

export const operatorMoves = (state: State): readonly Move<State>[] =>
  [...ACTIONS, ...state.processes.flatMap((process) => atTheTerminal(state, process))]
    .filter(({ possible }) => possible(state))
    .map(({ name, act, by = 'operator' }): Move<State> => ({ name: `the operator ${name}`, by, to: () => act(state) }));

/**
 * Returns whether the operator may request a handoff. Also checks in every state that the real rule refuses a second
 * request while a run is in flight.
 */
function mayClick(state: State): boolean {
  const runs = state.run === null ? [] : [state.run];
  const refused = isRefusal(
    validateRequest(agentOf(state, 1) ?? agentNotFound(1), runs, undefined, { reason: undefined, note: undefined }),
  );
  if (state.run !== null && !refused) throw new Broken('[H3] a second run of the same agent was allowed');
  return state.run === null && !refused;
}
