import { type Agent, isLive } from '../agents/agent.ts';
import type { Handoff, Run } from '../handoffs/run.ts';
import type { Refusal } from '../refusals.ts';
import { type Persona, refuseArchived } from './persona.ts';

export interface Giving {
  readonly persona: Persona;
  /** True if the caller allows the new persona to replace the agent's current persona. */
  readonly replace: boolean;
  /** The agent's handoff record; undefined if the agent has not handed off. */
  readonly record: Handoff | undefined;
}

/**
 * Returns the reason why the agent cannot get this persona; undefined if there is no such reason. If the agent already
 * has another persona, the operator must allow the replacement explicitly, because the skill of the old persona stays
 * in the agent's context.
 */
export function refuseGiving(agent: Agent, run: Run | undefined, giving: Giving): Refusal | undefined {
  const { persona, replace, record } = giving;
  const { id } = agent;
  if (!isLive(agent))
    return {
      code: 'agent_not_active',
      sentence: `Agent ${id} is ${agent.state}, so it cannot be given a persona`,
      hint: 'List the running agents: baton agent list',
    };
  if (run !== undefined) {
    return {
      code: 'agent_in_handoff',
      sentence: `Agent ${id} takes part in handoff ${run.id} and cannot be given a persona now`,
      hint: `Watch the handoff with: baton handoff watch ${run.id}`,
      runId: run.id,
      runStep: run.step,
    };
  }
  if (agent.personaId === persona.id)
    return { code: 'agent_has_persona', sentence: `Agent ${id} already has the persona ${persona.slug}` };
  if (agent.personaId !== null && !replace) {
    return {
      code: 'agent_has_persona',
      sentence: `Agent ${id} already has a persona`,
      hint: `Replace the persona: baton agent give-persona ${id} ${persona.slug} --replace`,
    };
  }
  if (record !== undefined) {
    return {
      code: 'agent_has_persona',
      sentence: `The handoff document of agent ${id} is already recorded for its persona, so the persona can no longer be changed`,
      hint: `See the handoff: baton handoff show-record ${record.id}`,
    };
  }
  return refuseArchived(persona);
}
