import type { Agent } from '../../domain/agents/agent.ts';
import { agentNotFound } from '../../domain/agents/refuse-unreachable.ts';
import type { Persona } from '../../domain/personas/persona.ts';
import { refuseGiving } from '../../domain/personas/refuse-giving.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { recordFact } from '../engine/record-facts.ts';
import { errorMessage } from '../error-message.ts';
import { runInFlightOf } from '../handoffs/run-in-flight.ts';
import type { Ports } from '../ports/index.ts';
import { personaNamed } from './find-by-name.ts';
import { layOutSkill } from './skill-at-start.ts';

export interface Gift {
  /** The slug or name of the persona. */
  readonly slug: string;
  /** If true, replaces the persona that the agent already has. */
  readonly replace: boolean;
}

/**
 * Gives a persona to a live agent. The agent's client was started without access to the persona's folder. So the client
 * may ask the operator for permission before the agent writes a handoff document there.
 */
export async function givePersona(
  ports: Ports,
  agentId: number,
  { slug: named, replace }: Gift,
): Promise<Agent | Refusal> {
  const given = await ports.store.write((tx): { agent: Agent; persona: Persona } | Refusal => {
    const before = tx.agentById(agentId);
    if (before === undefined) return agentNotFound(agentId);
    const persona = personaNamed(tx, named);
    if (isRefusal(persona)) return persona;
    const { slug } = persona;
    const run = runInFlightOf(tx, agentId);
    const refusal = refuseGiving(before, run, { persona, replace, record: tx.handoffOfAgent(agentId) });
    if (refusal !== undefined) return refusal;
    const had = before.personaId === null ? undefined : tx.personaById(before.personaId);
    const given = { agentId, personaId: persona.id, slug };
    // Use a random token, so that the reference of the skill prompt is unique. If the same persona is given a second
    // time, Baton must type the skill again.
    const change = ports.chance
      .token(6)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '0');
    recordFact(
      tx,
      ports,
      had === undefined
        ? { type: 'persona_given', ...given }
        : { type: 'persona_changed', ...given, from: had.slug, change },
    );
    return { agent: tx.agentById(agentId) ?? before, persona };
  });
  if (isRefusal(given)) return given;
  // Write the skill file at once, because the operator may run /clear before the next reconcile.
  await layOutSkill(ports, given.agent, given.persona).catch((error: unknown) =>
    ports.log.warn(`could not write the skill file: ${errorMessage(error)}`, { agent: agentId }),
  );
  return given.agent;
}
