import type { AgentFact } from '../../../src/domain/facts.ts';
import type { Move } from './explore.ts';
import { checkAccepted } from './properties.ts';
import { type Process, processOf, type State, sessionOf, spend, type Turn, type What, withProcess } from './state.ts';

/**
 * Models agents as small processes that behave like real clients. The prompt hook fires before the model gets the
 * prompt, so a policy hook may still block the prompt. An interrupted turn sends no Stop hook. The session end hook
 * comes before the process is gone.
 */

/** For each kind of prompt, lists in order what the agent does after it has accepted the prompt. */
const COURSE: Record<What, readonly Act[]> = {
  user: ['stop'],
  instruction: ['use_tool', 'finish_document', 'stop'],
  skill: ['stop'],
  injection: ['use_tool', 'acknowledge', 'stop'],
  exit: [],
};
type Act = 'use_tool' | 'finish_document' | 'acknowledge' | 'stop';

/** Models the Enter key: submits the text in the agent's composer. */
export function submit(state: State, agentId: number): State {
  const process = processOf(state, agentId);
  if (!process?.composer || process.end !== null) return state;
  const { what, ref } = process.composer;
  if (what === 'exit') return withProcess(state, agentId, { composer: null, leaving: 'asked' });
  const before = process.accepted.filter((each) => each.what === what).length;
  const promptId = before === 0 ? `p-${what}` : `p-${what}-${before + 1}`;
  const turn: Turn = { what, ref: what === 'user' ? null : ref, promptId, stage: 0 };
  const { ref: named } = turn;
  const hook = { type: 'prompt_submitted', agentId, promptId, ref: named, textHash: '', excerpt: '' } as const;
  return withProcess(state, agentId, { composer: null, turn, hooks: [...process.hooks, hook] });
}

export function agentMoves(state: State): readonly Move<State>[] {
  return state.processes.flatMap((process) => (process.end === null ? movesOf(state, process) : []));
}

function movesOf(state: State, process: Process): readonly Move<State>[] {
  const { agentId } = process;
  const move = (name: string, to: () => State): Move<State> => ({ name: `agent ${agentId} ${name}`, by: 'agent', to });
  return [
    ...(process.up ? [] : [move('begins its session', () => beginSession(state, process))]),
    ...(process.turn !== null && !process.asking ? turnMoves(state, process, process.turn, move) : []),
    ...(process.leaving === 'asked' ? [move('ends its session', () => endSession(state, process))] : []),
    ...(process.leaving === 'parting' ? [move('is gone', () => withProcess(state, agentId, GONE))] : []),
    ...misbehaviours(state, process),
  ];
}

function beginSession(state: State, { agentId, hooks }: Process): State {
  const hook = {
    type: 'session_started',
    agentId,
    runtimeSessionId: sessionOf(agentId),
    source: 'startup',
    transcriptPath: `/t${agentId}`,
  } as const;
  return withProcess(state, agentId, { up: true, hooks: [...hooks, hook] });
}

function endSession(state: State, { agentId, hooks }: Process): State {
  const hook = { type: 'session_ended', agentId, reason: 'prompt_input_exit' } as const;
  return withProcess(state, agentId, { leaving: 'parting', hooks: [...hooks, hook] });
}

const GONE = { end: 'exited', leaving: null } as const;

type Make = (name: string, to: () => State) => Move<State>;

function turnMoves(state: State, process: Process, turn: Turn, move: Make): readonly Move<State>[] {
  if (turn.stage === 0) return [move(`accepts the ${turn.what}`, () => accept(state, process, turn))];
  const act = COURSE[turn.what][turn.stage - 1];
  if (act === undefined) return [];
  const main = move(`${act} in ${turn.what}`, () => DO[act](state, process, turn));
  const asks = act === 'use_tool' && state.budget.ask > 0;
  const compacts = act === 'use_tool' && turn.what === 'instruction' && state.budget.compact > 0;
  return [
    main,
    ...(asks ? [move('asks for permission', () => askPermission(spend(state, 'ask'), process, turn))] : []),
    ...(compacts ? [move('compacts', () => compact(spend(state, 'compact'), process))] : []),
  ];
}

function accept(state: State, process: Process, turn: Turn): State {
  const accepted = [...process.accepted, { what: turn.what, ref: turn.ref }];
  checkAccepted({ ...process, accepted }, state.run);
  return withProcess(state, process.agentId, { accepted, turn: { ...turn, stage: 1 } });
}

const fired = (process: Process, turn: Turn | null, ...hooks: readonly AgentFact[]): Partial<Process> => ({
  turn,
  hooks: [...process.hooks, ...hooks],
});

const DO: Record<Act, (state: State, process: Process, turn: Turn) => State> = {
  use_tool: (state, process, turn) => {
    const { agentId } = process;
    const hook = { type: 'tool_used', agentId, promptId: turn.promptId, tool: 'Tool', phase: 'began' } as const;
    const next = withProcess(state, agentId, fired(process, { ...turn, stage: 2 }, hook));
    return turn.what === 'instruction' ? { ...next, document: 'partial' } : next;
  },
  finish_document: (state, { agentId }, turn) => ({
    ...withProcess(state, agentId, { turn: { ...turn, stage: 3 } }),
    document: 'complete',
  }),
  acknowledge: (state, { agentId }, turn) => ({
    ...withProcess(state, agentId, { turn: { ...turn, stage: 3 } }),
    acknowledging: true,
  }),
  stop: (state, process, { promptId, what }) => {
    const { agentId, finished } = process;
    const hook = { type: 'turn_ended', agentId, promptId, backgroundTasks: 0 } as const;
    return withProcess(state, agentId, { ...fired(process, null, hook), finished: [...finished, what] });
  },
};

function askPermission(state: State, process: Process, turn: Turn): State {
  const { agentId } = process;
  const hook = { type: 'input_requested', agentId, promptId: turn.promptId, question: 'may I?' } as const;
  return withProcess(state, agentId, { ...fired(process, turn, hook), asking: true });
}

function compact(state: State, process: Process): State {
  const { agentId, turn } = process;
  const session = sessionOf(agentId);
  return withProcess(
    state,
    agentId,
    fired(
      process,
      turn,
      { type: 'compaction_started', agentId, trigger: 'auto' },
      { type: 'session_started', agentId, runtimeSessionId: session, source: 'compact' },
    ),
  );
}

/**
 * Returns the ways in which an agent can misbehave, each as a transition. They are possible as long as
 * `budget.misbehave` is above 0.
 */
function misbehaviours(state: State, process: Process): readonly Move<State>[] {
  if (state.budget.misbehave === 0 || state.run === null) return [];
  const { agentId, turn, hooks } = process;
  const poor = spend(state, 'misbehave');
  const move = (name: string, change: () => Partial<Process>): Move<State> => ({
    name: `agent ${agentId} ${name}`,
    by: 'fault',
    to: () => withProcess(poor, agentId, change()),
  });
  const always = [
    move('dies', () => ({ end: 'exited', turn: null, asking: false })),
    move('is lost with its tmux server', () => ({ end: 'server_lost', turn: null, asking: false })),
  ];
  if (process.leaving) return [...always, move('ignores the exit', () => ({ leaving: null }))];
  if (turn === null) return always;
  const { what, ref, promptId } = turn;
  if (turn.stage === 0) {
    const blocked = { turn: null, composer: { what, ref: ref ?? '' } };
    return [...always, move(`has the ${what} blocked by a policy hook`, () => blocked)];
  }
  const failure = { type: 'turn_failed', agentId, promptId, error: 'API error' } as const;
  const stop = { type: 'turn_ended', agentId, promptId, backgroundTasks: 0 } as const;
  const over = { turn: null, asking: false, finished: [...process.finished, what] };
  return [
    ...always,
    move(`is interrupted in ${what}`, () => over),
    move(`fails in ${what}`, () => ({ ...over, hooks: [...hooks, failure] })),
    move(`stops early in ${what}`, () => ({ ...over, hooks: [...hooks, stop] })),
    move(`stops with work in the background in ${what}`, () => ({
      hooks: [...hooks, { ...stop, backgroundTasks: 1 }],
      // A turn with background work counts as finished only if Baton sent the skill in this turn. In every other turn
      // the background work may still write the document, so the turn is not finished yet.
      ...(what === 'skill' ? { finished: over.finished } : {}),
    })),
  ];
}
