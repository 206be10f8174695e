import { type Agent, isLive } from '../agent/agent.ts';
import type { Run } from '../handoff/run.ts';
import type { Refusal } from '../refusals.ts';
import { type Persona, refuseArchived } from './persona.ts';

/** May this agent be given this persona? Only where there is none yet: what an agent has heard it cannot unhear. */
export function refuseGiving(agent: Agent, run: Run | undefined, persona: Persona): Refusal | undefined {
  if (!isLive(agent))
    return { code: 'agent_not_active', sentence: `Agent ${agent.id} is not active, so it cannot be given a persona` };
  if (run !== undefined) {
    return {
      code: 'agent_in_handoff',
      sentence: `Agent ${agent.id} takes part in handoff run ${run.id} (${run.step}) and cannot be given a persona now`,
      hint: `Watch it with: baton run show ${run.id} --watch`,
      runId: run.id,
      runStep: run.step,
    };
  }
  if (agent.personaId !== null) {
    return {
      code: 'agent_has_persona',
      sentence: `Agent ${agent.id} has a persona already, and it cannot be changed`,
      hint: `Start another agent with this one: baton agent start --persona ${persona.slug}`,
    };
  }
  return refuseArchived(persona);
}
