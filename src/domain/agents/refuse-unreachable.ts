import type { Refusal } from '../refusals.ts';
import type { Agent } from './agent.ts';

type Known = Pick<Agent, 'id' | 'state' | 'stateReason'>;

export const agentNotFound = (id: number): Refusal => ({ code: 'agent_not_found', sentence: `Agent ${id} not found` });

export const refuseNotActive = ({ id, state, stateReason }: Known): Refusal => ({
  code: 'agent_not_active',
  sentence: 'Agent is not active',
  hint: `Agent ${id} is ${state} (${stateReason}). List the running agents: baton agent list`,
});

/**
 * Returns the refusal for an action on an agent without a pane. The text `what` completes the sentence "Baton cannot
 * …".
 */
export const refuseNoPane = ({ id, state, stateReason }: Known, what: string): Refusal => ({
  code: 'agent_has_no_pane',
  sentence: `Agent ${id} has no tmux pane, so Baton cannot ${what}`,
  hint: `Agent ${id} is ${state} (${stateReason}). Wait until it is ready, or see: baton agent why ${id}`,
});
