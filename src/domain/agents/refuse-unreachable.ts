import type { Refusal } from '../refusals.ts';
import type { Agent } from './agent.ts';

type Known = Pick<Agent, 'id' | 'state' | 'stateReason'>;

export const refuseNotActive = ({ state, stateReason }: Known): Refusal => ({
  code: 'agent_not_active',
  sentence: 'Agent is not active',
  hint: `It is ${state} (${stateReason}). List the running agents: baton agent list`,
});

/** The refusal of an action for an agent without a pane. `what` names the action as a verb phrase. */
export const refuseNoPane = ({ id, state, stateReason }: Known, what: string): Refusal => ({
  code: 'agent_has_no_pane',
  sentence: `Agent has no tmux pane, so Baton cannot ${what}`,
  hint: `It is ${state} (${stateReason}). Wait until it is ready, or see: baton agent why ${id}`,
});
