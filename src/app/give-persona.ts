import type { Agent } from '../domain/agent/agent.ts';
import { type Persona, personaNotFound } from '../domain/persona/persona.ts';
import { refuseGiving } from '../domain/persona/refuse-giving.ts';
import { isRefusal, type Refusal } from '../domain/refusals.ts';
import { messageOf } from './message-of.ts';
import { recordFact } from './record-facts.ts';
import { layOutSkill } from './skill-at-start.ts';
import type { Ports } from './world.ts';

/**
 * To an agent that was started without one. Its client does not know the persona's folder, so it may ask before it
 * writes a handoff document there; the run then waits for the operator, as with every question.
 */
export async function givePersona(ports: Ports, agentId: number, slug: string): Promise<Agent | Refusal> {
  const given = await ports.store.write((tx): { agent: Agent; persona: Persona } | Refusal => {
    const before = tx.agentById(agentId);
    if (before === undefined) return { code: 'agent_not_found', sentence: 'Agent not found' };
    const persona = tx.personaBySlug(slug);
    if (persona === undefined) return personaNotFound(slug);
    const run = tx.runsInFlight().find((each) => each.agentId === agentId || each.successorAgentId === agentId);
    const refusal = refuseGiving(before, run, persona);
    if (refusal !== undefined) return refusal;
    recordFact(tx, ports, { type: 'persona_given', agentId, personaId: persona.id, slug });
    return { agent: tx.agentById(agentId) ?? before, persona };
  });
  if (isRefusal(given)) return given;
  // A /clear may come before the regular look, which would do the same.
  await layOutSkill(ports, given.agent, given.persona).catch((error: unknown) =>
    ports.log.warn(`the skill could not be laid out: ${messageOf(error)}`, { agent: agentId }),
  );
  return given.agent;
}
