import type { DeliveryOutcome } from '../../../src/app/ports/terminal.ts';
import type { EffectKind } from '../../../src/domain/effects.ts';
import type { LoggedEvent } from '../../../src/domain/facts.ts';
import { type ActiveStep, isOver, type Run, type Step } from '../../../src/domain/handoffs/run.ts';
import { isRefusal, type Refusal } from '../../../src/domain/refusals.ts';
import type { Launch, Received, SimAgent } from '../agent.ts';
import type { Baton } from '../baton.ts';
import type { World } from '../world.ts';

/**
 * Records which rare situations occurred in the simulated world. judge.ts decides whether Baton kept its promises in
 * these situations.
 */

const TYPES: Partial<Record<Received['purpose'], EffectKind>> = {
  instruction: 'type_instruction',
  skill: 'prime_agent',
  injection: 'type_injection',
  exit: 'type_exit',
  package: 'announce_package',
};

export function noteTyping(baton: Baton, purpose: Received['purpose'], reached: 'pasted' | 'entered'): void {
  const kind = TYPES[purpose];
  if (kind !== undefined) baton.reached(kind, reached);
}

export function noteRefused(
  world: World,
  agent: SimAgent,
  purpose: Received['purpose'],
  outcome: DeliveryOutcome,
): DeliveryOutcome {
  const reason = outcome.verdict === 'refused' ? outcome.reason : '';
  world.tell(`typing ${purpose} to agent ${agent.agentId} is refused: ${reason}`);
  if (purpose === 'work') return outcome;
  if (reason === 'draft') world.saw('operator_draft_in_the_way');
  if (reason === 'copy_mode') world.saw('copy_mode_in_the_way');
  if (purpose === 'skill') agent.skillWasRefused = true;
  return outcome;
}

export function noteNotified(world: World, body: string): void {
  world.notified.push(body);
  const sent = world.notified.filter((each) => each === body).length;
  if (sent === 1) return;
  const opened = world.store
    .read((tx) => tx.eventsAfter(0, 100_000))
    .filter(({ type, data }) => type === 'inbox_opened' && `${data.sentence}\n${data.hint}` === body);
  if (sent > opened.length) world.saw('notified_again_after_a_kill');
}

export function noteLog(world: World, events: readonly LoggedEvent[]): void {
  if (events.some(({ type }) => type === 'agent_seen_unknown')) world.saw('rest_not_known');
  for (const { type, data, agentId, seq } of events)
    if (type === 'agent_launch_failed' && data.isUnknown)
      if (events.some((later) => later.seq > seq && later.agentId === agentId && later.type === 'agent_launched'))
        world.saw('forgotten_pane_found');
}

export function noteStarted(world: World, { predecessor, resumes }: Launch): void {
  if (resumes) world.saw('predecessor_brought_back');
  else if (predecessor !== null && [...world.agents.values()].some((agent) => agent.predecessor === predecessor))
    world.saw('successor_replaced');
}

const AGAIN = {
  instruction: 'instructed_again',
  skill: 'skill_given_again',
  injection: 'prompt_typed_again',
} as const;

export function noteReceived(world: World, agent: SimAgent, purpose: Received['purpose']): void {
  const ref = agent.received.at(-1)?.ref ?? '';
  if (purpose in AGAIN && /-\d+$/.test(ref)) world.saw(AGAIN[purpose as keyof typeof AGAIN]);
  if (purpose === 'skill' && agent.skillWasRefused) world.saw('skill_refused_then_given');
}

export function noteHookLost(world: World, agent: SimAgent, event: string, purpose: string): void {
  world.blame(agent.agentId, `lost:${event}:${purpose}`);
  if (event === 'SessionStart') world.saw('session_start_lost');
}

export function noteSessionStartedAgain(world: World, agent: SimAgent): void {
  if (agent.predecessor !== null) world.saw('successor_session_started_again');
}

export function noteRestored(world: World, found: 'there' | 'restored' | 'changed') {
  if (found === 'restored') world.saw('document_restored_for_the_successor');
  if (found === 'changed') world.saw('document_changed_after_it_was_verified');
  return found;
}

export function noteWritten(world: World, path: string): void {
  if (world.runs().some((run) => run.step === 'failed' && run.document?.absolutePath === path))
    world.saw('document_came_after_the_failure');
}

export function noteKill(world: World, baton: Baton, why: string): void {
  for (const [kind, { reached }] of baton.underWay) {
    if (kind === 'announce_package') {
      if (reached === 'entered' || reached === 'performed') world.saw('killed_behind_an_announcement');
    } else if (Object.values(TYPES).includes(kind)) {
      if (reached === 'claimed') world.saw('killed_before_paste');
      if (reached === 'pasted') world.saw('killed_between_paste_and_enter');
      if (reached === 'entered' || reached === 'performed') world.saw('killed_between_enter_and_commit');
    }
    if (reached !== 'claimed' && kind === 'launch_agent') world.saw('killed_between_launch_and_commit');
    if (reached !== 'claimed' && kind === 'check_document') world.saw('killed_between_document_check_and_commit');
  }
  if (why === 'spool:committed' || why === 'remove:before') world.saw('killed_between_hook_commit_and_removal');
  if (!baton.isUp) world.saw('killed_during_recovery');
  if (world.packages !== undefined && world.store.read((tx) => tx.packagesBehind(1)).length > 0)
    world.saw('killed_between_fact_and_archive');
  for (const run of world.runsInFlight()) {
    const times = (world.killsIn.get(run.id) ?? 0) + 1;
    world.killsIn.set(run.id, times);
    if (times === 2) world.saw('killed_twice_in_one_run');
  }
}

export function noteBoot(world: World): void {
  for (const run of world.runsInFlight()) {
    if (run.deadlineAt !== null && run.deadlineAt < world.instant() && run.pausedAt === null)
      for (const step of FOLLOWING[run.step as ActiveStep] ?? [])
        world.moments.push({
          step,
          act: (moved) => void (moved.id === run.id && world.saw('down_longer_than_the_deadline')),
        });
  }
}

/** For each step of a handoff run, the later steps that show that the run has continued. */
const FOLLOWING: Partial<Record<ActiveStep, readonly Step[]>> = {
  waiting_safe_point: ['awaiting_document', 'verifying'],
  instructing: ['awaiting_document', 'verifying'],
  awaiting_document: ['recorded', 'shutting_down'],
  verifying: ['recorded', 'shutting_down'],
  shutting_down: ['creating_successor', 'awaiting_registration'],
  awaiting_registration: ['injecting_skill', 'delivering_prompt'],
  injecting_skill: ['delivering_prompt', 'awaiting_acknowledgement'],
};

export function noteStoreRefused(world: World, baton: Baton): void {
  world.tell('the store refuses');
  if ([...baton.underWay.values()].some(({ reached }) => reached === 'performed')) world.saw('store_refused_a_report');
}

export function noteAcknowledged(world: World, before: Run | undefined, result: Run | Refusal): void {
  if (isRefusal(result)) {
    if (result.code === 'wrong_proof') world.saw('wrong_proof_refused');
    return;
  }
  if (before?.emergency) world.saw('emergency_acknowledged');
  if (before?.step === 'delivering_prompt') world.saw('acknowledged_before_its_hooks');
  if (before?.step === 'completed' && before.acknowledgement === null) world.saw('acknowledged_after_completion');
}

/**
 * Records that the operator answered an agent's question after the deadline of the run's step. The run is still in
 * flight, because Baton has paused the deadline.
 */
export function noteAnswered(world: World, agent: SimAgent, afterMs: number): void {
  for (const run of world.runsInFlight()) {
    const watched = run.successorAgentId ?? run.agentId;
    if (watched === agent.agentId && run.pausedAt !== null && afterMs > world.deadlines[run.step as ActiveStep])
      world.saw('dialog_longer_than_the_deadline');
  }
}

export function noteStep(world: World, run: Run, before: Step | undefined): void {
  const agent = world.agents.get(run.agentId);
  const blamed = world.blamed.get(run.agentId) ?? new Set();
  if (world.runsInFlight().length > 1) world.saw('two_runs_at_once');
  if (before === 'instructing' && agent?.alive && !isOver(run)) {
    if (
      run.step === 'awaiting_document' &&
      run.delivery?.submitted === false &&
      blamed.has('lost:UserPromptSubmit:instruction')
    )
      world.saw('prompt_hook_lost_found_in_transcript');
    if (run.step !== 'awaiting_document' && run.step !== 'waiting_safe_point')
      world.saw('stop_confirmed_the_instruction');
  }
  if (run.step === 'cancelled' && before === 'instructing') world.saw('cancelled_while_typing');
  if (run.step === 'cancelled' && before === 'awaiting_document') world.saw('cancelled_while_writing');
  if (run.step === 'recorded' && !world.recordedByBoot.has(run.id)) world.recordedByBoot.set(run.id, world.boots);
  if (run.step === 'cancelled' && run.handoffId !== null && run.broughtBackAgentId === null)
    world.saw('cancelled_with_its_record');
  if (run.emergency && run.step === 'creating_successor' && [...blamed].some((each) => each.startsWith('crashed')))
    world.saw('emergency_after_crash');
  if (run.failures > 1) world.saw('failed_twice');
  if (run.handoffId !== null) noteRecorded(world, run, agent);
  if (run.step === 'completed' && run.acknowledgement === null) world.saw('never_acknowledged');
  if (run.step === 'failed') noteFailure(world, run, blamed);
}

const blamedFor = (world: World, run: Run, what: string): boolean => world.blamed.get(run.agentId)?.has(what) ?? false;

function noteRecorded(world: World, run: Run, agent: SimAgent | undefined): void {
  if (blamedFor(world, run, 'wrong_path') && run.warnings.some((warning) => warning.includes('The operator chose')))
    world.saw('adopted_wrong_path');
  if (run.document?.markerFound === false) world.saw('document_without_marker');
  if (agent?.habits.handoffTurn === 'in_parts') world.saw('document_written_in_parts');
  if (agent?.predecessor != null) world.saw('successor_handed_over_again');
  if (run.observedFacts && world.blamed.get(run.agentId)?.has('lost:Stop:none'))
    world.saw('stop_lost_document_found_by_looking');
  if (run.warnings.some((warning) => warning.includes('no skill.md'))) world.saw('skill_absent');
}

function noteFailure(world: World, run: Run, blamed: ReadonlySet<string>): void {
  const code = run.failure?.code;
  const successor = world.blamed.get(run.successorAgentId ?? -1) ?? new Set();
  if (code === 'no_safe_point') world.saw('never_came_to_rest');
  if (code === 'document_missing' && blamed.has('ignored')) world.saw('instruction_ignored');
  if (code === 'document_missing' && blamed.has('wrong_path')) world.saw('document_at_a_wrong_path');
  if (code === 'document_empty') world.saw('document_empty');
  if (
    code === 'document_not_a_regular_file' ||
    code === 'document_reached_through_link' ||
    code === 'document_too_large'
  )
    world.saw('document_not_a_plain_file');
  if (code === 'instruction_not_accepted' && blamed.has('blocked:instruction'))
    world.saw('instruction_blocked_by_policy');
  if (successor.has('ended_at_start')) world.saw('successor_ended_at_once');
  if (code === 'successor_gone' && successor.has('crashed:injection')) world.saw('successor_gone_after_the_prompt');
}
