import type { Agent } from '../../../src/domain/agents/agent.ts';
import { applyFact } from '../../../src/domain/agents/apply-fact.ts';
import { retryPriming } from '../../../src/domain/agents/priming.ts';
import type { Effect } from '../../../src/domain/effects.ts';
import type { Fact, Notice } from '../../../src/domain/facts.ts';
import { type Advanced, advance, begin } from '../../../src/domain/handoffs/advance.ts';
import { BUILT_IN } from '../../../src/domain/handoffs/prompts/templates.ts';
import { type ActiveStep, isOver, type Run, STEPS } from '../../../src/domain/handoffs/run.ts';
import type { RunContext, Write } from '../../../src/domain/handoffs/step-rule.ts';
import { after, type Instant, msBetween } from '../../../src/domain/instant.ts';
import { T0 } from '../handoffs/handoff-kit.ts';
import { checkArrival, checkWrite } from './properties.ts';
import { believedKey, factKey, newAgent, newRun, RUN_ID, type State, type Wish } from './state.ts';

/**
 * The model simplifies time: the current time is always T0, and every stored time is relative to T0. The model measures
 * time in halves of a deadline, because no other duration affects the rules.
 */
const HALF_MS = 60_000;
const MAX_GAP_MS = 5_000;
const EARLIER = after(T0, -1_000);
const DEADLINES = Object.fromEntries(STEPS.map((step) => [step, 2 * HALF_MS])) as Record<ActiveStep, number>;
const IDENTITY = { persona: { name: 'Con', role: 'developer', slug: 'developer-con-1' }, projectName: 'shop' };

interface Believed {
  readonly run: Run | null;
  readonly agents: readonly Agent[];
}

interface Recorded extends Believed {
  readonly effects: readonly Effect[];
  readonly writes: readonly Write[];
  readonly notices: readonly Notice[];
  /**
   * The agents that the fact is about. If Baton began to look at the screen of one of these agents before the fact, the
   * observation is outdated.
   */
  readonly heard: readonly number[];
}

export const loadRunContext = ({ run, agents }: Believed, now: Instant): RunContext => ({
  agent: agents[0]!,
  successor: run?.successorAgentId == null ? null : agents[1]!,
  identity: IDENTITY,
  task: null,
  now,
  deadlines: DEADLINES,
  longestGapMs: MAX_GAP_MS,
  templates: BUILT_IN,
  newerRunId: null,
  canBringBack: false,
  openPoints: () => [],
  resumedAs: null,
  broughtBack: null,
});

const recordedBefore = new Map<string, Recorded>();

/**
 * Applies a fact as the app does, first to the agent and then to the run. The core has no side effects, so results can
 * be cached.
 */
function ask(believed: Believed, fact: Fact, now: Instant): Recorded {
  const key = `${believedKey(believed)}/${factKey(fact)}/${now === T0 ? '' : now}`;
  const before = recordedBefore.get(key);
  if (before !== undefined) return before;
  const answer = judge(believed, fact, now);
  recordedBefore.set(key, answer);
  return answer;
}

function judge({ run, agents }: Believed, fact: Fact, now: Instant): Recorded {
  let known = agents;
  const effects: Effect[] = [];
  if ('agentId' in fact) {
    known = agents.map((agent) => {
      if (agent.id !== fact.agentId) return agent;
      const step = applyFact(agent, fact, now);
      effects.push(...step.effects);
      return step.agent;
    });
  }
  const heard = known.filter((agent, at) => agent !== agents[at] && agent.lastSeenAt === now).map(({ id }) => id);
  const rested = known.map(atRest);
  const concerned =
    run !== null && (!('agentId' in fact) || [run.agentId, run.successorAgentId].includes(fact.agentId));
  if (!concerned) return { run, agents: rested, effects, writes: [], notices: [], heard };
  return keep(advance(run, fact, loadRunContext({ run, agents: known }, now)), rested, effects, now, heard);
}

/** Applies the writes to the run and its agents. The real store applies them in the transaction that saves the run. */
function keep(
  { run: advanced, effects, writes, notices }: Advanced,
  agents: readonly Agent[],
  earlier: readonly Effect[],
  now: Instant,
  heard: readonly number[] = [],
): Recorded {
  let run = advanced;
  let known = agents;
  const wanted = [...earlier];
  for (const write of writes) {
    if (write.kind === 'record_handoff') run = { ...run, handoffId: 3 };
    else {
      known = [agents[0]!, newAgent(2, { previousAgentId: 1, state: 'starting', lastSeenAt: EARLIER })];
      run = { ...run, successorAgentId: 2 };
      wanted.push({ kind: 'launch_agent', agentId: 2 });
    }
  }
  return { run: atT0(run, now), agents: known, effects: [...wanted, ...effects], writes, notices, heard };
}

export function click(state: State): State {
  const { run, effects } = keep(
    begin(newRun(state.budget.review > 0 ? 'wanted' : 'not_wanted'), loadRunContext(state, T0)),
    state.agents,
    [],
    T0,
  );
  return { ...state, run, wishes: [...state.wishes, ...effects.map(wish)] };
}

const wish = (effect: Effect): Wish => ({ effect, stage: 'wished', facts: [] });

export function record(state: State, fact: Fact, now: Instant = T0): State {
  const answer = ask(state, fact, now);
  for (const write of answer.writes) checkWrite(state, write);
  const next: State = {
    ...state,
    run: answer.run,
    agents: answer.agents,
    wishes: answer.effects.length === 0 ? state.wishes : [...state.wishes, ...answer.effects.map(wish)],
    glance: state.glance !== null && answer.heard.includes(state.glance.agentId) ? null : state.glance,
    halfPassed: state.halfPassed && !isRenewed(state.run, answer.run, fact),
  };
  checkArrival(state, next, fact, answer.notices);
  return next;
}

const ACTIVITY: ReadonlySet<Fact['type']> = new Set(['tool_used', 'prompt_submitted', 'compaction_started']);
const COUNTED_FROM_ACTIVITY: ReadonlySet<Run['step']> = new Set(['awaiting_document', 'injecting_skill']);

/**
 * Returns whether SPEC.md says that the fact restarts the deadline. This function does not read the run's own deadline,
 * because the exploration must find a wrong deadline.
 */
function isRenewed(before: Run | null, run: Run | null, fact: Fact): boolean {
  if (before?.step !== run?.step) return true;
  if (run === null || !COUNTED_FROM_ACTIVITY.has(run.step) || !ACTIVITY.has(fact.type) || !('agentId' in fact))
    return false;
  if (fact.type === 'compaction_started' && run.step === 'injecting_skill') return false;
  return fact.agentId === (run.step === 'awaiting_document' ? run.agentId : run.successorAgentId);
}

/** Shifts all times of the run, so that the current time becomes T0. */
function atT0(run: Run, now: Instant): Run {
  // Measure a paused deadline from the time when the pause began, because it keeps the time that was left then.
  const from = run.pausedAt ?? now;
  const left = (at: Instant | null): Instant | null => {
    if (at === null) return null;
    const halves = Math.min(2, Math.max(0, Math.ceil(msBetween(from, at) / HALF_MS)));
    return after(T0, halves * HALF_MS);
  };
  const over = isOver(run);
  return {
    ...run,
    deadlineAt: over ? null : left(run.deadlineAt),
    safePointDeadlineAt: over ? null : left(run.safePointDeadlineAt),
    pausedAt: over || run.pausedAt === null ? null : T0,
    retryAt: over || run.retryAt === null ? null : after(T0, run.retryAt > now ? 1_000 : 0),
    lookedAt: T0,
  };
}

function atRest(agent: Agent): Agent {
  const { priming } = agent;
  return {
    ...agent,
    lastSeenAt: EARLIER,
    endedAt: agent.endedAt === null ? null : T0,
    registeredAt: agent.registeredAt === null ? null : T0,
    priming:
      priming.status === 'typing' && priming.retryAt !== null
        ? { ...priming, retryAt: after(T0, 1_000) }
        : priming.status === 'done'
          ? { ...priming, at: T0 }
          : priming,
  };
}

const dueBefore = new WeakMap<Run, Map<Instant, Run>>();

/**
 * Returns a copy of the run whose planned retry is due now. For equal arguments, returns the same object, because one
 * key per object is cached.
 */
function asDue(run: Run, lookedAt: Instant): Run {
  const known = dueBefore.get(run) ?? new Map<Instant, Run>();
  dueBefore.set(run, known);
  const due = known.get(lookedAt) ?? { ...run, lookedAt, retryAt: run.retryAt === null ? null : T0 };
  known.set(lookedAt, due);
  return due;
}

/** Simulates a tick after one second, in which due retries are performed. */
export function tick(state: State): State {
  const { run } = state;
  if (run === null) return state;
  const due = run.retryAt === null ? run : asDue(run, T0);
  return retryPrimings(record({ ...state, run: due }, { type: 'clock_ticked', runId: RUN_ID }));
}

function retryPrimings(state: State): State {
  const steps = state.agents.map((agent) => retryPriming(agent, after(T0, 1_000)));
  const effects = steps.flatMap((step) => step.effects);
  if (effects.length === 0) return state;
  return { ...state, agents: steps.map(({ agent }) => agent), wishes: [...state.wishes, ...effects.map(wish)] };
}

/** Lets half a deadline pass while Baton is running. */
export function passHalf(state: State): State {
  const { run } = state;
  if (run === null) return state;
  const now = after(T0, HALF_MS);
  const watched = asDue(run, after(now, -1_000));
  const looked = record(
    { ...state, run: watched, halfPassed: run.pausedAt === null || state.halfPassed },
    {
      type: 'clock_ticked',
      runId: RUN_ID,
    },
    now,
  );
  const inSafePoint = run.step === 'waiting_safe_point' || run.step === 'instructing';
  return { ...looked, safePointHalfPassed: state.safePointHalfPassed || (inSafePoint && run.pausedAt === null) };
}

/** Lets an hour pass without ticks, as if Baton was down or the machine slept. */
export function passUnseen(state: State): State {
  return record(state, { type: 'clock_ticked', runId: RUN_ID }, after(T0, 3_600_000));
}
