import type { Run, RunAction } from '../../../src/domain/handoffs/run.ts';
import { isRefusal, type Refusal } from '../../../src/domain/refusals.ts';
import type { World } from '../world.ts';

/**
 * Records which rare situations the operator's actions have caused. judge.ts decides whether Baton kept its promises in
 * these situations.
 */

interface Choice {
  readonly before: Run;
  readonly action: RunAction;
  readonly result: Run | Refusal;
  /** True if the page offered the action when the operator clicked. */
  readonly wasOffered: boolean;
  /** True if this is the second of two clicks on the same button. */
  readonly isSecond: boolean;
}

/** Records the click before Baton answers, because Baton may be killed before it answers. */
export function noteClick(world: World, run: Run, action: RunAction): void {
  if (action === 'approve') world.approved.add(run.id);
  if (action === 'check_again' || action === 'adopt') {
    world.lookedFor.add(run.id);
    world.blame(run.agentId, 'operator_looked');
  }
  if (action === 'force_exit' && run.successorAgentId !== null) world.blame(run.successorAgentId, 'forced');
  if (action === 'force_exit') world.blame(run.agentId, 'forced');
}

export function noteChoice(world: World, { before, action, result, wasOffered, isSecond }: Choice): void {
  if (isRefusal(result)) {
    if (result.code === 'newer_run_exists') world.saw('click_on_history_refused');
    if (result.code === 'file_not_adoptable') world.saw('adoption_refused');
    if (result.code !== 'action_not_possible') return;
    if (isSecond) world.saw('second_click_refused_as_gone_on');
    if (!wasOffered) world.saw('click_that_was_not_offered_refused');
    if (action === 'cancel') world.saw('cancel_refused_after_the_record');
    return;
  }
  const code = before.failure?.code;
  const underReview = before.step === 'recorded' && before.review === 'wanted';
  if (code === 'agent_lost' && (action === 'retry' || action === 'resume')) world.saw('lost_agent_counted_as_gone');
  switch (action) {
    case 'approve':
      if (world.boots > (world.recordedByBoot.get(before.id) ?? world.boots)) world.saw('approved_after_restart');
      return;
    case 'wait':
      world.saw(before.step === 'failed' ? 'waited_again_after_a_failure' : 'waited_longer');
      return;
    case 'send_back':
      world.saw('sent_back');
      return;
    case 'use_recorded':
      world.saw('recorded_document_used');
      return;
    case 'accept':
      world.saw('left_at_a_failed_turn');
      return;
    case 'check_again':
      if (before.lateDocument) world.saw('late_document_gone_on_with');
      if (before.failure?.at === 'delivering_prompt') world.saw('looked_again_for_the_prompt');
      return;
    case 'retry':
      if (code === 'did_not_exit') world.saw('retried_after_not_exiting');
      if (code === 'successor_cannot_start') world.saw('retried_when_no_successor_could_start');
      return;
    case 'force_exit':
      world.saw(
        before.step === 'shutting_down' || code === 'did_not_exit' ? 'agent_forced_out' : 'successor_forced_out',
      );
      return;
    case 'cancel':
      if (underReview) world.saw('cancelled_in_review');
      return;
    case 'resume':
      world.saw(before.step === 'cancelled' ? 'resumed_after_a_cancel' : 'resumed_after_a_failure');
      if (before.step === 'cancelled' && result.step === 'requested') world.saw('fresh_document_after_a_cancel');
      return;
    case 'undo':
      if (before.step === 'completed') world.saw('undone_after_completion');
      if (before.step === 'delivering_prompt') world.saw('undone_while_prompt_under_way');
      if (before.step === 'creating_successor' || before.step === 'awaiting_registration')
        world.saw('undone_while_the_successor_starts');
      return;
    default:
  }
}
