import { isWithoutTerminal } from '../agents/agent.ts';
import { EFFECT_IN_WORDS, type Effect, type EffectKind } from '../effects.ts';
import type { Fact, FactOf, Notice } from '../facts.ts';
import { after, type Instant, msBetween } from '../instant.ts';
import { moveFor, rowAt, type Table } from '../transition-table.ts';
import { adviceFor, lacksDocument, moveOf } from './actions.ts';
import {
  awaitingDocument,
  CLEARED,
  instructing,
  recorded,
  requested,
  shuttingDown,
  verifying,
  waitingSafePoint,
  withoutComparison,
} from './outgoing-steps.ts';
import { type ActiveStep, isOver, type Run, type RunAction, type Step } from './run.ts';
import { fail, type HandoffMachine, type Move, type RunContext, type StepRule, type Write } from './step-rule.ts';
import {
  awaitingAcknowledgment,
  awaitingRegistration,
  creatingSuccessor,
  deliveringPrompt,
  injectingSkill,
} from './successor-steps.ts';
import { undoing } from './undo-step.ts';

/** The state machine of a handoff, one row per step. No other code moves a run to another step. */
const ROWS: Record<ActiveStep, StepRule> = {
  requested,
  waiting_safe_point: waitingSafePoint,
  instructing,
  awaiting_document: awaitingDocument,
  verifying,
  recorded,
  shutting_down: shuttingDown,
  creating_successor: creatingSuccessor,
  awaiting_registration: awaitingRegistration,
  injecting_skill: injectingSkill,
  delivering_prompt: deliveringPrompt,
  awaiting_acknowledgement: awaitingAcknowledgment,
  undoing,
};

const TABLE: Table<HandoffMachine, StepRule> = {
  rows: ROWS,
  inEveryStep: { effect_failed: effectFailed },
  unknownFact: () => undefined,
};

/**
 * Lists for each kind of effect the steps that need the effect. When a run leaves these steps, Baton drops the effect
 * if it is still waiting. For example, Baton types nothing after a cancel.
 */
const WANTED_IN: Record<EffectKind, readonly Step[]> = {
  launch_agent: ['creating_successor'],
  adopt_agent: [],
  release_agent: [],
  end_agent: [],
  interrupt_agent: ['waiting_safe_point'],
  prime_agent: ['injecting_skill'],
  prepare_document_place: ['requested'],
  type_instruction: ['instructing'],
  confirm_prompt: ['instructing', 'delivering_prompt'],
  check_document: ['verifying'],
  compare_document: ['recorded', 'shutting_down'],
  check_successor_can_start: ['recorded'],
  type_exit: ['shutting_down'],
  answer_exit: ['shutting_down'],
  type_injection: ['delivering_prompt'],
  send_first_prompt: [],
  type_nudge: ['awaiting_acknowledgement'],
  announce_package: [],
  type_continue: [],
};

export const isWanted = (run: Pick<Run, 'step'>, kind: EffectKind): boolean => WANTED_IN[kind].includes(run.step);

/** Returns the id of the agent that the current step of the run is about: the outgoing agent or the successor. */
export function watchedAgentId(run: Run): number | null {
  const row = rowAt(TABLE, run.step);
  if (row === undefined) return null;
  return row.watches === 'agent' ? run.agentId : run.successorAgentId;
}

export interface Advanced {
  readonly run: Run;
  readonly effects: readonly Effect[];
  readonly writes: readonly Write[];
  readonly notices: readonly Notice[];
}

/** Begins a run at the step `requested`. */
export function begin(run: Run, world: RunContext): Advanced {
  return settle(enter({ run, effects: [], writes: [], notices: [] }, 'requested', null, world), world);
}

/**
 * Begins the run of an emergency handoff. The run starts at `recorded`, because the outgoing agent cannot write a
 * document: it has ended or is under a usage limit.
 */
export function beginEmergency(run: Run, injectionPrompt: string, world: RunContext): Advanced {
  const filePath = run.document?.path ?? null;
  const record: Move = { to: 'recorded', writes: [{ kind: 'record_handoff', filePath, injectionPrompt }] };
  return settle(apply({ run, effects: [], writes: [], notices: [] }, record, world), world);
}

/**
 * Applies one fact to one run. A late, repeated or forged fact does not fit the step of the run and changes nothing.
 */
export function advance(run: Run, fact: Fact, world: RunContext): Advanced {
  let state: Advanced = { run, effects: [], writes: [], notices: [] };
  if (fact.type === 'operator_chose') return choose(state, fact, world);
  if (fact.type === 'handoff_acknowledged' && isAcknowledgeable(run))
    return apply(
      state,
      { to: 'completed', patch: { failure: null, acknowledgement: { task: fact.task, at: world.now } } },
      world,
    );
  if (fact.type === 'late_document_seen') return isOver(run) ? apply(state, lateDocument(run, world), world) : state;
  if (isOver(run)) return isClearedSince(run, fact) ? apply(state, CLEARED, world) : state;
  state = { ...state, run: pauseWhileAsked(forgiveGap(run, world), world) };
  state = judge(state, fact, world);
  state = settle(state, world);
  return fact.type === 'clock_ticked' ? settle(expire(state, fact.lastScreen, world), world) : state;
}

function choose(
  state: Advanced,
  { action, adopted, comment, since, runsOn }: FactOf<'operator_chose'>,
  world: RunContext,
): Advanced {
  const said: Partial<Run> = {
    ...(comment === undefined ? {} : written(state.run, action, comment)),
    ...(since === undefined ? {} : { changedSince: since }),
    ...(runsOn === undefined ? {} : { runsOn }),
  };
  const move = moveOf(action, { ...state.run, ...said }, world);
  if (move === undefined) return state;
  const warning = adopted === undefined ? {} : { warning: `The operator chose ${adopted} as the document.` };
  // A halted run has no deadline that could be postponed.
  const run = isOver(state.run) ? { ...state.run, lookedAt: world.now } : forgiveGap(state.run, world);
  return settle(apply({ ...state, run: { ...run, ...said } }, { ...move, ...warning }, world), world);
}

/** Stores the operator's text: a message is for the successor, every other text is a comment on the document. */
const written = ({ nudge }: Run, action: RunAction, text: string): Partial<Run> =>
  action === 'message' ? { nudge: { count: nudge?.count ?? 0, said: text } } : { comment: text };

const WITH_PROMPT: ReadonlySet<string> = new Set(['delivering_prompt', 'awaiting_acknowledgement']);

/**
 * True if the run accepts an acknowledgment (SPEC H30). A run that failed while Baton delivered the prompt or waited
 * for the acknowledgment also accepts one, because the token in the acknowledgment proves that the prompt arrived.
 */
export const isAcknowledgeable = ({ step, failure }: Pick<Run, 'step' | 'failure'>): boolean =>
  WITH_PROMPT.has(step) || (step === 'failed' && WITH_PROMPT.has(failure?.at ?? ''));

/** Stores an acknowledgment that arrived after the run had completed. The run stays completed. */
export const acknowledgeLate = (run: Run, task: string, now: Instant): Advanced => ({
  run: { ...run, acknowledgement: { task, at: now }, updatedAt: now },
  effects: [],
  writes: [],
  notices: [{ type: 'handoff_complete', acknowledged: true, successorAgentId: run.successorAgentId ?? 0 }],
});

/**
 * True if the operator's `/clear` took effect after the run had halted without a document (SPEC H14). This happens if
 * the client queued the `/clear` during the agent's turn.
 */
const isClearedSince = (run: Run, fact: Fact): boolean =>
  fact.type === 'session_started' &&
  fact.source === 'clear' &&
  fact.agentId === run.agentId &&
  run.delivery?.accepted === true &&
  lacksDocument(run);

const lateDocument = (run: Run, { newerRunId }: RunContext): Move =>
  run.lateDocument
    ? {}
    : {
        patch: { lateDocument: true },
        warning: `The document arrived after the handoff had ended: ${run.document?.absolutePath ?? ''}. ${newerRunId === null ? `Continue with that document: baton handoff check-again ${run.id}` : `Handoff ${newerRunId} is newer, so Baton does not use this document.`}`,
      };

function judge(state: Advanced, fact: Fact, world: RunContext): Advanced {
  if (isOver(state.run) || !concerns(state.run, fact)) return state;
  const before = state.run.step as ActiveStep;
  const move = moveFor(TABLE, before, state.run, fact, world);
  if (move === undefined) return state;
  const moved = apply(state, move, world);
  // Sometimes the first sign that the instruction has arrived is the Stop that ends the instruction's turn. So the step
  // `awaiting_document` must handle this Stop, too.
  return moved.run.step === 'awaiting_document' && before === 'instructing' ? judge(moved, fact, world) : moved;
}

/**
 * Fails the run if an effect of its current step failed. Called only at steps that have no rule of their own for such a
 * failure.
 */
function effectFailed(run: Run, { doing, detail }: FactOf<'effect_failed'>): Move | undefined {
  if (!isWanted(run, doing)) return undefined;
  if (doing === 'compare_document') return withoutComparison;
  const sentence = `Baton could not ${EFFECT_IN_WORDS[doing]} (agent ${watchedAgentId(run)}): ${detail}.`;
  return fail(run, {
    code: 'effect_failed',
    sentence,
    hint: `${run.handoffId === null ? '' : 'The handoff record is kept. '}Fix the cause of the failure before you try again.`,
  });
}

function concerns(run: Run, fact: Fact): boolean {
  if ('runId' in fact) return fact.runId === run.id;
  return fact.agentId === watchedAgentId(run);
}

/**
 * Applies the rule `level` of the current step again and again until the rule requests no further change. Throws after
 * 20 changes, because only a bug makes the rules run in a cycle.
 */
function settle(start: Advanced, world: RunContext): Advanced {
  let state = start;
  for (let moves = 0; moves < 20; moves++) {
    const move = rowAt(TABLE, state.run.step)?.level?.(state.run, seenFrom(state, world));
    if (move === undefined) return state;
    state = apply(state, move, world);
  }
  throw new Error(`The level rules of the handoff table form a cycle at step ${state.run.step}`);
}

/**
 * Returns the context of the run as it will be after the pending writes. If the run has given up its successor, the
 * context has no successor. If Baton will send the skill to the successor again, the context leaves out the failed
 * attempt to send it.
 */
function seenFrom({ run, writes }: Pick<Advanced, 'run' | 'writes'>, world: RunContext): RunContext {
  const { successor } = world;
  if (successor === null) return world;
  if (successor.id !== run.successorAgentId) return { ...world, successor: null };
  const isPrimedAgain = writes.some(({ kind }) => kind === 'prime_successor_again');
  return isPrimedAgain ? { ...world, successor: { ...successor, priming: { status: 'none' } } } : world;
}

function expire(state: Advanced, lastScreen: string | undefined, world: RunContext): Advanced {
  const { run } = state;
  const row = rowAt(TABLE, run.step);
  if (row === undefined || run.pausedAt !== null || run.deadlineAt === null || world.now < run.deadlineAt) return state;
  return apply(state, row.tooLate(run, world, lastScreen), world);
}

function apply(state: Advanced, move: Move, world: RunContext): Advanced {
  const patched: Advanced = {
    run: warned({ ...state.run, ...move.patch, updatedAt: world.now }, move.warning),
    effects: [...state.effects, ...(move.effects ?? [])],
    writes: [...state.writes, ...(move.writes ?? [])],
    notices:
      move.warning === undefined
        ? state.notices
        : [...state.notices, { type: 'handoff_warning', sentence: move.warning }],
  };
  if (move.to === undefined) return move.rearm ? { ...patched, run: rearm(patched.run, world) } : patched;
  return enter(patched, move.to, state.run.step, world);
}

const warned = (run: Run, warning: string | undefined): Run =>
  warning === undefined || run.warnings.includes(warning) ? run : { ...run, warnings: [...run.warnings, warning] };

function enter(state: Advanced, to: Step, from: Step | null, world: RunContext): Advanced {
  const row = rowAt(TABLE, to);
  const run: Run = {
    ...state.run,
    step: to,
    deadlineAt: row === undefined ? null : after(world.now, world.deadlines[to as ActiveStep]),
    pausedAt: null,
    steps: entered(state.run, to, world),
    updatedAt: world.now,
  };
  const told = to === 'failed' ? withAdvice(run, world) : run;
  const there = { ...state, run: told, notices: [...state.notices, ...announce(told, from)] };
  const wanted = row?.enter?.(run, seenFrom(there, world));
  return wanted === undefined ? there : apply(there, wanted, world);
}

/**
 * Adds the possible actions to the hint of a failure. The possible actions depend on the step at which the run halted.
 */
function withAdvice(run: Run, world: RunContext): Run {
  const { failure } = run;
  return failure === null
    ? run
    : { ...run, failure: { ...failure, hint: adviceFor(run, seenFrom({ run, writes: [] }, world)) } };
}

/**
 * Adds a step to the list of entered steps, unless the list already has this step of the current attempt. While the
 * delivery of the instruction is refused, the run alternates between two steps, and the list would grow with every
 * refusal.
 */
const entered = ({ steps, attempt }: Run, to: Step, world: RunContext): Run['steps'] =>
  steps.some(({ step, attempt: of }) => step === to && of === attempt && step !== 'failed')
    ? steps
    : [...steps, { step: to, enteredAt: world.now, attempt }];

function announce(run: Run, from: Step | null): readonly Notice[] {
  const progress: Notice = { type: 'handoff_progress', from, to: run.step };
  if (run.step === 'failed' && run.failure !== null) return [progress, { type: 'handoff_error', ...run.failure }];
  if (run.step === 'completed' && run.successorAgentId !== null) {
    return [
      progress,
      { type: 'handoff_complete', acknowledged: run.acknowledgement !== null, successorAgentId: run.successorAgentId },
    ];
  }
  return [progress];
}

const rearm = (run: Run, world: RunContext): Run => ({
  ...run,
  deadlineAt: after(world.now, world.deadlines[run.step as ActiveStep]),
});

/** Pauses the deadline while the agent waits for an answer of the operator. */
function pauseWhileAsked(run: Run, world: RunContext): Run {
  const watched = watchedAgentId(run) === world.agent.id ? world.agent : world.successor;
  // A shell in the agent's terminal is not a question to the operator, so the deadline keeps running.
  const asked = watched?.state === 'awaiting_input' && !isWithoutTerminal(watched);
  if (asked && run.pausedAt === null) return { ...run, pausedAt: world.now };
  if (!asked && run.pausedAt !== null) return { ...postpone(run, msBetween(run.pausedAt, world.now)), pausedAt: null };
  return run;
}

function postpone(run: Run, ms: number): Run {
  const later = (at: Instant | null): Instant | null => (at === null ? null : after(at, ms));
  return { ...run, deadlineAt: later(run.deadlineAt), safePointDeadlineAt: later(run.safePointDeadlineAt) };
}

/**
 * Postpones the deadlines of a run by the time during which Baton observed nothing (suspend, clock jump, restart). Must
 * be called before each fact is applied. A fact may set a new deadline, and a gap before that fact must not postpone
 * the new deadline.
 */
function forgiveGap(run: Run, world: RunContext): Run {
  const ms = msBetween(run.lookedAt, world.now);
  const looked = { ...run, lookedAt: world.now };
  if (Math.abs(ms) <= world.longestGapMs) return looked;
  const moved = postpone(looked, ms);
  return {
    ...moved,
    pausedAt: run.pausedAt === null ? null : after(run.pausedAt, ms),
    // If the clock was set back, make the next retry earlier by the same amount. After any other gap, keep the time of
    // the retry. If every restart postponed the retry, a Baton that is restarted often would never retry.
    retryAt: run.retryAt === null || ms > 0 ? run.retryAt : after(run.retryAt, ms),
  };
}
