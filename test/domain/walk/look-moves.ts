import { type Agent, isLive } from '../../../src/domain/agents/agent.ts';
import type { AgentFact, Fact } from '../../../src/domain/facts.ts';
import { Broken, type Move } from './explore.ts';
import { passHalf, passUnseen, record, tick } from './record.ts';
import { type Process, processOf, RUN_ID, type State, spend } from './state.ts';

/**
 * Returns the transitions of Baton's periodic check of agents (reconcile). Each observation is a transition of its own,
 * so that the observations are explored in every order.
 */
export function lookMoves(state: State): readonly Move<State>[] {
  const { glance } = state;
  const seen = state.agents.flatMap((agent) => seenOf(state, agent));
  return [
    ...[...seen, ...seenOfRun(state)].map(
      (fact): Move<State> => ({ name: `look: ${fact.type}`, by: 'baton', to: () => record(state, fact) }),
    ),
    ...(state.budget.stale > 0 && glance === null ? seen.filter(isOfScreen).map(begun(state)) : []),
    ...(state.budget.unreadable > 0 ? state.agents.flatMap((agent) => unreadable(state, agent)) : []),
    ...(glance === null
      ? []
      : [
          {
            name: `look that took long: ${glance.type}`,
            by: 'baton',
            to: () => record({ ...state, glance: null }, glance),
          } as const,
        ]),
  ];
}

const isOfScreen = ({ type }: AgentFact): boolean => type.startsWith('agent_seen');

const begun =
  (state: State) =>
  (fact: AgentFact): Move<State> => ({
    name: `a look begins: ${fact.type}`,
    by: 'fault',
    to: () => ({ ...spend(state, 'stale'), glance: fact }),
  });

/**
 * Returns the transitions in which Baton cannot interpret an agent's screen. Agents that are starting, asking or gone
 * have no such transition, because reconcile skips them.
 */
function unreadable(state: State, { id: agentId, state: believed, pane }: Agent): readonly Move<State>[] {
  const process = processOf(state, agentId);
  const isLookedAt = process?.up && process.end === null && !process.asking && pane !== null;
  if (!isLookedAt || !['idle', 'working', 'awaiting_input'].includes(believed)) return [];
  const fact = { type: 'agent_seen_unknown', agentId, line: 'something new' } as const;
  const to = () => record(spend(state, 'unreadable'), fact);
  return [{ name: `agent ${agentId} shows what nobody can read`, by: 'fault', to }];
}

function seenOf(state: State, agent: Agent): readonly AgentFact[] {
  const { id: agentId } = agent;
  const process = processOf(state, agentId);
  if (!isLive(agent) || agent.pane === null || process === undefined) return [];
  if (process.end === 'exited') return [{ type: 'agent_process_gone', agentId, detail: 'its process has ended' }];
  if (process.end === 'server_lost') return [{ type: 'agent_pane_lost', agentId, detail: 'the tmux server is gone' }];
  const { priming } = agent;
  const skillFound =
    priming.status === 'typing' && !priming.accepted && process.accepted.some(({ ref }) => ref === priming.ref);
  return [
    ...onScreen(agent, process),
    ...(skillFound ? [{ type: 'prompt_found_in_transcript', agentId, ref: priming.ref } as const] : []),
  ];
}

function onScreen({ id: agentId, state, priming }: Agent, process: Process): readonly AgentFact[] {
  if (process.asking)
    return state === 'awaiting_input' ? [] : [{ type: 'agent_seen_asking', agentId, question: 'may I?' }];
  if (state === 'starting' || !process.up) return [];
  if (process.turn !== null || process.leaving !== null)
    return state === 'working' ? [] : [{ type: 'agent_seen_working', agentId }];
  const settled = state === 'idle' && priming.status !== 'typing';
  // Report an agent with a draft of the operator in the composer as idle, too, because a real client does the same.
  if (process.composer !== null) return state === 'idle' ? [] : [{ type: 'agent_seen_idle', agentId, shows: 'draft' }];
  return settled ? [] : [{ type: 'agent_seen_idle', agentId }];
}

function seenOfRun({ run, agents, processes, document }: State): readonly Fact[] {
  if (run === null) return [];
  if (run.step === 'awaiting_document') {
    const atRest = agents[0]?.state === 'idle' || !isLive(agents[0]!);
    return atRest && document === 'complete' ? [{ type: 'document_evidence_seen', runId: RUN_ID }] : [];
  }
  const at = run.step === 'instructing' ? 0 : run.step === 'delivering_prompt' ? 1 : -1;
  const { delivery } = run;
  if (at === -1 || delivery === null || delivery.accepted || !agents[at] || !isLive(agents[at])) return [];
  const found = processes[at]?.accepted.some(({ ref }) => ref === delivery.ref);
  return found ? [{ type: 'prompt_found_in_transcript', agentId: agents[at].id, ref: delivery.ref }] : [];
}

/**
 * Returns the transitions that let time pass in the model. In the world `any`, any amount of time may pass. In a
 * `timely` world, at most half a deadline passes before the next activity. In a `timeless` world, no deadline comes
 * nearer.
 */
export function timeMoves(state: State): readonly Move<State>[] {
  const { run, world } = state;
  if (run === null) return [];
  const inSafePoint = run.step === 'waiting_safe_point' || run.step === 'instructing';
  const passed = state.halfPassed || (inSafePoint && state.safePointHalfPassed);
  const mayPass = world === 'any' || run.pausedAt !== null || !passed;
  const ticks = { name: 'tick', by: 'baton', to: () => tick(state) } as const;
  if (world === 'timeless') return [ticks];
  return [
    ticks,
    ...(mayPass ? [{ name: 'half a deadline passes', by: 'baton', to: () => passHalf(state) } as const] : []),
    { name: 'an hour in which nobody looked', by: 'baton', to: () => unchanged(state) },
  ];
}

/**
 * Checks that an hour without ticks uses up no deadline. After this hour, the run must have the same step and the same
 * deadline as before, or the step that it would also have after a single tick.
 */
function unchanged(state: State): State {
  const [before, now] = [state.run, passUnseen(state).run];
  const isSame = now?.step === before?.step && now?.deadlineAt === before?.deadlineAt;
  if (!isSame && now?.step !== tick(state).run?.step) throw new Broken('[H31] time in which nobody looked was counted');
  return state;
}
