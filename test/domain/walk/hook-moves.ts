import type { AgentFact } from '../../../src/domain/facts.ts';
import type { Move } from './explore.ts';
import { record } from './record.ts';
import { type Process, RUN_ID, type State, spend, withProcess } from './state.ts';

/**
 * Hooks arrive in order and with any delay. As long as the `budget` for faults lasts, hooks may also be lost, repeated
 * or overtaken.
 */
export function hookMoves(state: State): readonly Move<State>[] {
  return [...state.processes.flatMap((process) => movesOf(state, process)), ...acknowledgement(state)];
}

function movesOf(state: State, process: Process): readonly Move<State>[] {
  const { agentId, hooks, late } = process;
  const [first, ...rest] = hooks;
  const heldBack = late.map(
    (hook, at): Move<State> => ({
      name: `late hook ${name(hook)}`,
      by: 'hook',
      to: () => record(withProcess(state, agentId, { late: late.toSpliced(at, 1) }), hook),
    }),
  );
  if (first === undefined) return heldBack;
  const without = (over: State = state): State => withProcess(over, agentId, { hooks: rest });
  const later = (over: State): State => withProcess(over, agentId, { hooks: rest, late: sorted([...late, first]) });
  const fault = (what: 'lose' | 'double' | 'hold', to: (poor: State) => State): readonly Move<State>[] =>
    state.budget[what] === 0
      ? []
      : [{ name: `${what} hook ${name(first)}`, by: 'fault', to: () => to(spend(state, what)) }];
  return [
    ...heldBack,
    { name: `hook ${name(first)}`, by: 'hook', to: () => record(without(), first) },
    ...(first.type === 'session_started' && state.world !== 'any' ? [] : fault('lose', without)),
    ...fault('double', (poor) => record(later(poor), first)),
    ...fault('hold', later),
  ];
}

const sorted = (hooks: readonly AgentFact[]): readonly AgentFact[] =>
  hooks.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

const name = (hook: AgentFact): string =>
  `${hook.type} of agent ${hook.agentId}${'promptId' in hook ? ` (${hook.promptId})` : ''}`;

/**
 * Returns the transition in which an acknowledgment arrives over HTTP, independent of the hooks. Only two steps of a
 * run accept an acknowledgment.
 */
function acknowledgement(state: State): readonly Move<State>[] {
  const { run } = state;
  if (!state.acknowledging || (run?.step !== 'delivering_prompt' && run?.step !== 'awaiting_acknowledgement'))
    return [];
  const arrived = { ...state, acknowledging: false };
  return [
    {
      name: 'the acknowledgement arrives',
      by: 'hook',
      to: () => record(arrived, { type: 'handoff_acknowledged', runId: RUN_ID, task: 'go on' }),
    },
  ];
}
