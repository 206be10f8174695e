import type { Pane } from './agents/agent.ts';

/**
 * An action that the domain requests from the outside world. The transaction that requests the effect also stores it.
 * Later the effect runner performs the effect and records the result as a fact. After a crash, an effect may be
 * performed twice, which must do no harm.
 */
export type Effect =
  | { readonly kind: 'launch_agent'; readonly agentId: number }
  /** Tags the operator's pane for an adopted agent, and connects the hooks of the session in that pane to the agent. */
  | { readonly kind: 'adopt_agent'; readonly agentId: number; readonly pane: Pane }
  /** Removes the tag from the operator's pane and disconnects the hooks from the agent. */
  | { readonly kind: 'release_agent'; readonly agentId: number; readonly pane: Pane }
  | { readonly kind: 'prime_agent'; readonly agentId: number; readonly ref: string }
  /** Sends the prompt that the operator gave when starting the agent. */
  | { readonly kind: 'send_first_prompt'; readonly agentId: number }
  | { readonly kind: 'prepare_document_place'; readonly agentId: number; readonly runId: number }
  | { readonly kind: 'type_instruction'; readonly agentId: number; readonly runId: number; readonly ref: string }
  | { readonly kind: 'confirm_prompt'; readonly agentId: number; readonly runId: number; readonly ref: string }
  | { readonly kind: 'check_document'; readonly agentId: number; readonly runId: number }
  /** Compares the handoff document with the project's files and with git. */
  | { readonly kind: 'compare_document'; readonly agentId: number; readonly runId: number }
  | { readonly kind: 'check_successor_can_start'; readonly agentId: number; readonly runId: number }
  | { readonly kind: 'type_exit'; readonly agentId: number; readonly runId: number | null; readonly ref: string }
  /** Answers the question of an exiting client about its background work. Baton types the digit of the option. */
  | {
      readonly kind: 'answer_exit';
      readonly agentId: number;
      readonly runId: number;
      readonly ref: string;
      readonly questionId: string;
      readonly choice: number;
    }
  | { readonly kind: 'end_agent'; readonly agentId: number }
  | { readonly kind: 'interrupt_agent'; readonly agentId: number; readonly runId: number }
  /**
   * Types one prompt that announces all packages waiting for the agent: `packageId` and, if there are more, `others`.
   */
  | {
      readonly kind: 'announce_package';
      readonly agentId: number;
      readonly packageId: string;
      readonly others?: readonly string[];
      readonly ref: string;
    }
  | { readonly kind: 'type_injection'; readonly agentId: number; readonly runId: number; readonly ref: string }
  /** Asks an agent to continue once its usage limit is over. The operator requested this prompt. */
  | { readonly kind: 'type_continue'; readonly agentId: number; readonly ref: string }
  /** Reminds a successor that has not sent its acknowledgment. */
  | { readonly kind: 'type_nudge'; readonly agentId: number; readonly runId: number; readonly ref: string };

export type EffectKind = Effect['kind'];

/** The purpose of each effect, in words that complete the sentence "Baton could not …". */
export const EFFECT_IN_WORDS: Record<EffectKind, string> = {
  launch_agent: 'start the agent',
  adopt_agent: 'adopt the session',
  release_agent: 'release the session',
  prime_agent: 'give the agent its skill',
  send_first_prompt: 'send the first prompt to the agent',
  prepare_document_place: 'prepare the path for the handoff document',
  type_instruction: 'type the handoff instruction',
  confirm_prompt: 'confirm that a prompt arrived',
  check_document: 'check the handoff document',
  compare_document: 'compare the handoff document with the project',
  check_successor_can_start: 'check that a successor can start',
  type_exit: 'ask the agent to exit',
  answer_exit: 'answer the question about the background work of the agent',
  end_agent: 'end the agent',
  interrupt_agent: 'interrupt the agent',
  announce_package: 'tell the agent about a package',
  type_injection: 'type the handoff prompt into the successor',
  type_nudge: 'remind the successor',
  type_continue: 'ask the agent to continue after its usage limit',
};

/**
 * Returns the lane of an effect. Baton performs the effects of one lane one at a time, in the order in which they were
 * enqueued. The comparison of a document with the project has its own lane, because the comparison only reads.
 */
export const laneOf = (effect: Effect): string =>
  effect.kind === 'compare_document' ? `comparison/${effect.runId}` : `agent/${effect.agentId}`;
