import type { Agent } from '../../agents/agent.ts';
import type { Effect } from '../../effects.ts';
import type { AgentFact } from '../../facts.ts';
import type { PromptDelivery, Run } from '../run.ts';

/**
 * Returns the reference of a prompt. Each attempt has its own references, because Baton never pastes two prompts with
 * the same reference.
 */
export const promptRef = ({ nonce, attempt }: Run, what: 'instruction' | 'injection' | 'exit'): string =>
  attempt === 1 ? `${nonce}-${what}` : `${nonce}-${what}-${attempt}`;

/**
 * Returns the reference of a reminder. The reference contains the number of the reminder, because Baton never types two
 * texts with the same reference.
 */
export const nudgeRef = ({ nonce, nudge }: Run): string => `${nonce}-nudge-${nudge?.count ?? 0}`;

/**
 * Returns how far the prompt with this reference has been delivered. If the run enters a step again with the same
 * prompt, the receipts that have already arrived still count.
 */
export const deliveryOf = (run: Run, ref: string): PromptDelivery =>
  run.delivery?.ref === ref ? run.delivery : newDelivery(ref);

export const newDelivery = (ref: string): PromptDelivery => ({
  ref,
  submitted: false,
  submittedPromptId: null,
  accepted: false,
  lastRefusal: null,
});

/**
 * Updates the two receipts of a prompt (SPEC H9). First receipt: the prompt hook shows that the prompt was submitted; a
 * hook of the user can still block it. Second receipt: the transcript or a later event of the turn shows that the model
 * has it.
 */
export function trackDelivery(delivery: PromptDelivery, fact: AgentFact, agent: Agent | null): PromptDelivery {
  switch (fact.type) {
    case 'prompt_submitted':
      if (fact.ref !== delivery.ref) return delivery;
      return {
        ...delivery,
        submitted: true,
        submittedPromptId: fact.promptId,
        accepted: delivery.accepted || (fact.promptId === null && !agent?.transcriptPath),
      };
    case 'prompt_found_in_transcript':
      return fact.ref === delivery.ref ? { ...delivery, accepted: true } : delivery;
    case 'tool_used':
    case 'input_requested':
    case 'turn_ended':
    case 'turn_failed':
      return sameTurn(delivery, fact.promptId) ? { ...delivery, accepted: true } : delivery;
    case 'prompt_typed':
      if (fact.ref !== delivery.ref || fact.outcome.verdict === 'typed') return delivery;
      return { ...delivery, lastRefusal: fact.outcome.detail };
    default:
      return delivery;
  }
}

/**
 * True if the prompt was just submitted but not confirmed. Baton then reads the transcript, because the transcript may
 * confirm the prompt earlier than the hooks do.
 */
export const wantsConfirmation = (before: PromptDelivery, now: PromptDelivery): boolean =>
  now.submitted && !before.submitted && !now.accepted;

export const confirmPrompt = (run: Run, agentId: number): Effect => ({
  kind: 'confirm_prompt',
  agentId,
  runId: run.id,
  ref: run.delivery?.ref ?? '',
});

const sameTurn = (delivery: PromptDelivery, promptId: string | null): boolean =>
  delivery.submitted && promptId === delivery.submittedPromptId;

/**
 * Returns whether a Stop ends the turn that Baton's prompt began (SPEC H12, H13). A Stop counts if it has no turn id,
 * or the turn id that the prompt hook reported. A Stop with another id may come late from an earlier turn. But if
 * subagents were still working when the prompt's turn ended, any Stop counts, because their results begin another turn.
 */
export const isOurTurn = (delivery: PromptDelivery | null, promptId: string | null): boolean =>
  delivery !== null &&
  (promptId === null || promptId === delivery.submittedPromptId || delivery.leftSubagents === true);
