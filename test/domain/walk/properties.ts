import { isLive } from '../../../src/domain/agents/agent.ts';
import type { Fact, Notice } from '../../../src/domain/facts.ts';
import { isWanted } from '../../../src/domain/handoffs/advance.ts';
import { isOver, type Run } from '../../../src/domain/handoffs/run.ts';
import type { Write } from '../../../src/domain/handoffs/step-rule.ts';
import { Broken } from './explore.ts';
import { type Process, processOf, type State, type What } from './state.ts';

/** Rules about the real processes, whatever Baton believes about them. The rule numbers refer to SPEC.md. */

function must(holds: boolean, rule: string): void {
  if (!holds) throw new Broken(rule);
}

const isGone = (process: Process | undefined): boolean => process !== undefined && process.end !== null;

const got = (process: Process | undefined, what: What): boolean =>
  process?.accepted.some((each) => each.what === what) ?? false;

/** Checks that a model gets each of Baton's prompts at most once per attempt. */
export function checkAccepted({ agentId, accepted }: Process, run: Run | null): void {
  for (const what of ['instruction', 'skill', 'injection'] as const) {
    const times = accepted.filter((each) => each.what === what).length;
    const wanted = what === 'instruction' ? (run?.attempt ?? 1) : 1;
    must(times <= wanted, `doubled: agent ${agentId} got the ${what} ${times} times`);
  }
  const refs = accepted.flatMap(({ ref }) => ref ?? []);
  must(new Set(refs).size === refs.length, `doubled: agent ${agentId} got the same prompt twice`);
}

/** Checks that the rules allow Baton to paste the text of the kind `what` into the composer now. */
export function checkPaste(state: State, process: Process, what: What): void {
  must(process.composer === null && process.turn === null && !process.asking, `[H6] ${what} typed into a busy agent`);
  if (what === 'instruction') must(process.agentId === 1, 'the instruction went to the wrong agent');
  if (what === 'exit') {
    must(state.run?.handoffId != null, '[H18] asked to exit before the record');
    must(state.run?.review !== 'wanted', '[H42] asked to exit before the operator approved');
    must(state.run?.recordedDocument === null, '[H52] asked to exit before the newer document was recorded');
  }
  if (what === 'injection') {
    must(process.agentId === 2, 'the injection prompt went to the wrong agent');
    must(process.finished.includes('skill'), '[H26] the prompt was typed before the skill was in');
  }
}

export function checkWrite(state: State, write: Write): void {
  const outgoing = processOf(state, 1);
  if (write.kind === 'record_handoff') {
    // [002 NFR3] A run has only one record. A second document updates this record.
    must(state.run?.handoffId === null || state.run?.recordedDocument != null, 'doubled: a second record');
    must(state.document !== 'none', 'lost: recorded without a document');
    if (state.world !== 'any') must(state.document === 'complete', 'lost: recorded before the document was complete');
    return;
  }
  must(state.run?.successorAgentId === null && state.processes.length === 1, 'doubled: a second successor');
  must(state.run?.handoffId !== null, '[H18] a successor without a record');
  // Baton may create the successor only after the process of the outgoing agent has exited. The loss of the tmux server
  // is not enough, because the process may still run.
  must(outgoing?.end === 'exited', '[H21] the successor was created while the old process lives');
}

/**
 * After every fact, checks that the run is not waiting for an agent that is gone. If the fact changed the step of the
 * run, also checks the new step, and that Baton published the change.
 */
export function checkArrival(before: State, now: State, fact: Fact, notices: readonly Notice[]): void {
  const { run } = now;
  if (run === null || before.run === null) return;
  checkBelief(now, run);
  const [had, has] = [before.run.safePointDeadlineAt, run.safePointDeadlineAt];
  must(had === null || has === null || has <= had, '[H8] the wait for a safe point got a new deadline');
  if (endsOurTurn(before.run, fact)) must(!isWaitingForIt(run), '[H10] the end of our turn was not judged');
  if (run.step === before.run.step) return;
  const progress = notices.filter(({ type }) => type === 'handoff_progress');
  must(
    progress.some((notice) => notice.type === 'handoff_progress' && notice.to === run.step),
    'silent: a step that nobody was told of',
  );
  for (const notice of progress) if (notice.type === 'handoff_progress') checkStep(now, notice.to as Run['step']);
  if (isOver(run)) checkEnd(before, now, fact, notices);
  else must(run.deadlineAt !== null, `silent: step ${run.step} has no deadline`);
}

const isWaitingForIt = ({ step }: Run): boolean => step === 'instructing' || step === 'awaiting_document';

const endsOurTurn = (run: Run, fact: Fact): boolean =>
  isWaitingForIt(run) &&
  fact.type === 'turn_ended' &&
  fact.backgroundTasks === 0 &&
  fact.promptId === run.delivery?.submittedPromptId;

/** Checks that the run never waits for an agent whose end Baton has already recorded. */
function checkBelief({ agents: [outgoing, successor] }: State, { step }: Run): void {
  if (step === 'waiting_safe_point' || step === 'instructing' || step === 'awaiting_document')
    must(outgoing !== undefined && isLive(outgoing), `[H13] waits at ${step} for an agent that is gone`);
  if (step === 'injecting_skill' || step === 'delivering_prompt' || step === 'awaiting_acknowledgement')
    must(successor !== undefined && isLive(successor), `waits at ${step} for a successor that is gone`);
}

function checkStep(state: State, step: Run['step']): void {
  const [outgoing, successor] = [processOf(state, 1), processOf(state, 2)];
  if (step === 'instructing')
    must(state.agents[0]?.state === 'idle', '[H5] about to type into an agent that does not rest');
  if (step === 'awaiting_document')
    must(got(outgoing, 'instruction') || isGone(outgoing), '[H7] the flag is set, but the model has no instruction');
  if (step === 'verifying') {
    const over = outgoing?.turn?.what !== 'instruction' && !outgoing?.composer;
    must(
      over || isGone(outgoing) || state.document === 'complete',
      '[H11] judged before the turn of our instruction ended',
    );
  }
  if (step === 'awaiting_registration') must(successor !== undefined, '[H22] a successor that tmux does not have');
  if (step === 'delivering_prompt')
    must(successor?.finished.includes('skill') ?? false, '[H25] the skill is not in yet');
  if (step === 'awaiting_acknowledgement') must(got(successor, 'injection'), '[H27] the model has no injection prompt');
}

function checkEnd(
  before: State,
  { run, world, document, processes }: State,
  fact: Fact,
  notices: readonly Notice[],
): void {
  if (run === null) return;
  if (run.step === 'failed') {
    const told = notices.some(
      (notice) => notice.type === 'handoff_error' && notice.sentence !== '' && notice.hint !== '',
    );
    must(told, 'silent: a failure without its notice');
    must(world === 'any', `falsely failed: ${run.failure?.code} at ${run.failure?.at}: ${run.failure?.sentence}`);
  }
  if (run.step === 'completed') {
    must(
      notices.some(({ type }) => type === 'handoff_complete'),
      'silent: completed without its notice',
    );
    must(run.handoffId !== null && document !== 'none', 'lost: completed without a record');
    must(got(processes[1], 'injection'), '[H27] completed, but the successor has no prompt');
  }
  if (run.step === 'cancelled') {
    must(fact.type === 'operator_chose', '[H33] cancelled by nobody');
    must(
      processes.length === 1 && before.run?.step !== 'shutting_down',
      '[H33] cancelled after the exit was asked for',
    );
  }
}

/** Checks that Baton would perform none of the stored effects after the end of the run. */
export function checkLeftovers({ run, wishes }: State): void {
  const performed = wishes.filter(({ effect }) => 'runId' in effect && run !== null && isWanted(run, effect.kind));
  must(performed.length === 0, `[H33] ${performed[0]?.effect.kind} would be performed for a run that is over`);
}

/** [H34] Checks that a run that is over does not change, whichever facts arrive later. */
export function checkOver(state: State, later: State): void {
  const [run, now] = [state.run, later.run];
  must(
    now?.step === run?.step && now?.failure?.code === run?.failure?.code,
    '[H34] a run that is over was moved by a fact',
  );
  const wanted = later.wishes.slice(state.wishes.length);
  must(!wanted.some(({ effect }) => 'runId' in effect), '[H34] a run that is over wished for something');
}
