import type { Agent } from '../domain/agent/agent.ts';
import { sessionContext } from '../domain/handoff/messages.ts';
import type { Persona } from '../domain/persona/persona.ts';
import type { Ports } from './world.ts';

/**
 * Puts the persona's skill, as it is now, where the hook of the agent's next session start finds it. What is not there
 * (no skill, too long a skill, a runtime that takes none) is not given, and the missing receipt lets it be typed.
 */
export async function layOutSkill(ports: Ports, agent: Agent, persona: Persona): Promise<void> {
  const runtime = ports.runtimes.get(agent.runtime);
  if (runtime?.sessionStartOutput === undefined) return;
  const { skill, experience } = await ports.files.readSkill(persona.slug);
  const output =
    skill === undefined ? undefined : runtime.sessionStartOutput(sessionContext(persona, { skill, experience }));
  const named = output === undefined ? undefined : `${ports.chance.sha256(output).slice(0, NAME_LENGTH)}\n${output}\n`;
  await ports.files.keepSessionStart(agent.id, named);
}

const NAME_LENGTH = 16;

/** The operator may change a skill at any time; the next session begins with what it is then. */
export async function layOutSkills(ports: Ports, agents: readonly Agent[]): Promise<void> {
  for (const agent of agents) {
    const { personaId } = agent;
    const persona = personaId === null ? undefined : ports.store.read((tx) => tx.personaById(personaId));
    if (persona !== undefined) await layOutSkill(ports, agent, persona);
  }
}
