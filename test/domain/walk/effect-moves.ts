import type { Effect } from '../../../src/domain/effects.ts';
import type { Fact, PromptPurpose, TypingOutcome } from '../../../src/domain/facts.ts';
import { isWanted } from '../../../src/domain/handoffs/advance.ts';
import { PANE } from '../handoffs/handoff-kit.ts';
import { submit } from './agent-moves.ts';
import type { Move } from './explore.ts';
import { checkPaste } from './properties.ts';
import { record } from './record.ts';
import { agentOf, newProcess, processOf, RUN_ID, type State, spend, type Wish, withProcess } from './state.ts';

/**
 * Returns the transitions that perform effects. The effects of one agent are performed one at a time, in order. To
 * perform an effect is one transition, and to report its result is another. Typing has a third transition, between
 * paste and Enter. A crash resets the progress of every effect.
 */
export function effectMoves(state: State): readonly Move<State>[] {
  const agentIds = new Set(state.wishes.map(({ effect }) => effect.agentId));
  const heads = [...agentIds].map((id) => state.wishes.findIndex(({ effect }) => effect.agentId === id));
  return [...heads.flatMap((at) => movesOf(state, at)), ...crash(state)];
}

function crash(state: State): readonly Move<State>[] {
  if (state.budget.crash === 0 || state.wishes.every(({ stage }) => stage === 'wished')) return [];
  const wishes = state.wishes.map(({ effect }): Wish => ({ effect, stage: 'wished', facts: [] }));
  return [{ name: 'Baton dies', by: 'fault', to: () => spend({ ...state, wishes, glance: null }, 'crash') }];
}

function movesOf(state: State, at: number): readonly Move<State>[] {
  const { effect, stage } = state.wishes[at]!;
  const move = (name: string, to: () => State, by: Move<State>['by'] = 'baton'): Move<State> => ({
    name: `${effect.kind}: ${name}`,
    by,
    to,
  });
  if (stage === 'performed') return [move('reported', () => report(state, at))];
  if (stage === 'pasted') return enterMoves(state, at, effect as Typing, move);
  if (!isStillWanted(state, effect)) return [move('not wanted any more', () => finish(state, at))];
  return [
    AT_ONCE.has(effect.kind)
      ? move('performed and reported', () => report(perform(state, at, effect), at))
      : move('performed', () => perform(state, at, effect)),
    ...(canBreak(state, effect)
      ? [move('breaks', () => breakDown(spend(state, 'misbehave'), at, effect), 'fault')]
      : []),
  ];
}

/**
 * Effects that are performed and reported in one transition, because performing such an effect a second time gives the
 * same answer or a newer one.
 */
const AT_ONCE: ReadonlySet<Effect['kind']> = new Set([
  'prepare_document_place',
  'check_successor_can_start',
  'compare_document',
  'confirm_prompt',
]);

const report = (state: State, at: number): State =>
  state.wishes[at]!.facts.reduce((now, fact) => record(now, fact), finish(state, at));

type Make = (name: string, to: () => State, by?: Move<State>['by']) => Move<State>;

/** Asks the real rules whether the effect is still wanted, as the app does right before it performs an effect. */
const isStillWanted = ({ run }: State, effect: Effect): boolean =>
  !('runId' in effect) || effect.runId === null || (run !== null && isWanted(run, effect.kind));

const finish = (state: State, at: number): State => ({ ...state, wishes: state.wishes.toSpliced(at, 1) });

const performed = (state: State, at: number, ...facts: readonly Fact[]): State =>
  change(state, at, { stage: 'performed', facts });

const change = (state: State, at: number, over: Partial<Wish>): State => ({
  ...state,
  wishes: state.wishes.with(at, { ...state.wishes[at]!, ...over }),
});

function perform(state: State, at: number, effect: Effect): State {
  switch (effect.kind) {
    // Record that no document exists, because Baton prepares a new path, at which nothing has been written yet.
    case 'prepare_document_place':
      return performed({ ...state, document: 'none' }, at, {
        type: 'document_place_prepared',
        runId: RUN_ID,
        path: 'd.md',
        absolutePath: '/d.md',
      });
    case 'check_document':
      return performed(state, at, { type: 'document_checked', runId: RUN_ID, result: documentAsItIs(state) });
    case 'compare_document':
      return performed(state, at, { type: 'document_compared', runId: RUN_ID, findings: [] });
    case 'check_successor_can_start':
      return performed(state, at, { type: 'successor_can_start', runId: RUN_ID });
    case 'confirm_prompt':
      return performed(state, at, ...inTranscript(state, effect.agentId, effect.ref));
    case 'launch_agent':
      return launch(state, at, effect.agentId);
    case 'end_agent':
    // This model has no interrupts, background shells, first prompts, packages or external sessions. Effects about them
    // finish without a result.
    case 'interrupt_agent':
    case 'answer_exit':
    case 'announce_package':
    case 'send_first_prompt':
    case 'type_continue':
    case 'type_nudge':
    case 'adopt_agent':
    case 'release_agent':
      return finish(state, at);
    default:
      return type(state, at, effect);
  }
}

const documentAsItIs = ({ document }: State) =>
  document === 'none'
    ? ({ verdict: 'missing' } as const)
    : ({ verdict: 'good', sha256: 'abc', bytes: 10, markerFound: document === 'complete' } as const);

const inTranscript = (state: State, agentId: number, ref: string): readonly Fact[] =>
  processOf(state, agentId)?.accepted.some((each) => each.ref === ref)
    ? [{ type: 'prompt_found_in_transcript', agentId, ref }]
    : [];

/** Launches the agent with the given id. A second launch of the same agent finds the pane of the first launch. */
function launch(state: State, at: number, agentId: number): State {
  const there = processOf(state, agentId);
  const pane = { ...PANE, paneId: `%${agentId}`, tag: `agent-${agentId}` };
  if (there !== undefined && there.end !== null && agentOf(state, agentId)?.registeredAt) {
    return performed(state, at, {
      type: 'agent_launch_failed',
      agentId,
      detail: 'the agent ended before Baton saw its pane',
    });
  }
  const started = there === undefined ? { ...state, processes: [...state.processes, newProcess(agentId)] } : state;
  return performed(started, at, { type: 'agent_launched', agentId, pane });
}

type Typing = Extract<Effect, { kind: 'type_instruction' | 'type_injection' | 'type_exit' | 'prime_agent' }>;

const PURPOSE: Record<Typing['kind'], Exclude<PromptPurpose, 'message' | 'package' | 'nudge' | 'continue'>> = {
  type_instruction: 'instruction',
  type_injection: 'injection',
  type_exit: 'exit',
  prime_agent: 'skill',
};

/**
 * Models what the terminal guarantees: it never pastes a text with the same id twice, and it types nothing while a
 * dialog, a draft or a turn is in the way.
 */
function type(state: State, at: number, effect: Typing): State {
  const { agentId, ref } = effect;
  const process = processOf(state, agentId);
  const answer = (outcome: TypingOutcome): State => performed(state, at, typedFact(effect, outcome));
  const refuse = (reason: string): State => answer({ verdict: 'refused', reason, detail: reason });
  if (process === undefined || process.end !== null)
    return refuse(process?.end === 'server_lost' ? 'wrong_server' : 'pane_gone');
  if (process.pasted.includes(ref)) {
    if (process.pasted.at(-1) !== ref) return answer({ verdict: 'unconfirmed', detail: 'another text since' });
    if (process.composer?.ref === ref) return change(state, at, { stage: 'pasted' });
    const hidden = process.asking || (process.composer !== null && process.turn === null);
    return answer(
      hidden ? { verdict: 'unconfirmed', detail: 'something is in the way' } : { verdict: 'typed', enters: 0 },
    );
  }
  if (!process.up) return refuse('starting');
  if (process.asking) return refuse('dialog');
  if (process.turn !== null || process.leaving !== null) return refuse('busy');
  if (process.composer !== null) return refuse('draft');
  const what = PURPOSE[effect.kind];
  checkPaste(state, process, what);
  const pasted = withProcess(state, agentId, { composer: { what, ref }, pasted: [...process.pasted, ref] });
  return change(pasted, at, { stage: 'pasted' });
}

const typedFact = ({ kind, agentId, ref }: Typing, outcome: TypingOutcome): Fact => ({
  type: 'prompt_typed',
  agentId,
  purpose: PURPOSE[kind],
  ref,
  outcome,
});

function enterMoves(state: State, at: number, effect: Typing, move: Make): readonly Move<State>[] {
  const { agentId, ref } = effect;
  const process = processOf(state, agentId);
  const outcome = (over: TypingOutcome, on = state): State => performed(on, at, typedFact(effect, over));
  const unseen: TypingOutcome = { verdict: 'unconfirmed', detail: 'tmux did not answer' };
  if (process?.end !== null || process.composer?.ref !== ref) return [move('cannot be seen', () => outcome(unseen))];
  return [
    move('Enter', () => outcome({ verdict: 'typed', enters: 1 }, submit(state, agentId))),
    ...(state.budget.unseen > 0
      ? [
          move('Enter that nobody sees', () => outcome(unseen, submit(spend(state, 'unseen'), agentId)), 'fault'),
          move('no Enter', () => outcome(unseen, spend(state, 'unseen')), 'fault'),
        ]
      : []),
  ];
}

const BREAKABLE: ReadonlySet<Effect['kind']> = new Set([
  'prepare_document_place',
  'check_document',
  'check_successor_can_start',
  'compare_document',
  'launch_agent',
  'prime_agent',
  'type_injection',
]);

const canBreak = ({ budget }: State, { kind }: Effect): boolean => budget.misbehave > 0 && BREAKABLE.has(kind);

function breakDown(state: State, at: number, effect: Effect): State {
  const { agentId, kind } = effect;
  const detail = 'it broke';
  if (kind === 'launch_agent') return performed(state, at, { type: 'agent_launch_failed', agentId, detail });
  if (kind === 'prime_agent') return performed(state, at, { type: 'priming_failed', agentId, detail });
  return performed(state, at, { type: 'effect_failed', runId: RUN_ID, doing: kind, detail });
}
