import type { Agent } from '../../domain/agents/agent.ts';
import { sessionContext } from '../../domain/handoffs/prompts/prompts.ts';
import type { Persona } from '../../domain/personas/persona.ts';
import { withoutControls } from '../../domain/plain-text.ts';
import { errorMessage } from '../error-message.ts';
import { saveStartText } from '../messages/sent-prompts.ts';
import type { Ports } from '../ports/index.ts';

/**
 * Writes the current skill of the persona to the file that the hook prints at the next session start. If this is not
 * possible (no skill, skill too long, runtime without support), no receipt comes and the skill is typed.
 */
export async function layOutSkill(ports: Ports, agent: Agent, persona: Persona): Promise<void> {
  const runtime = ports.runtimes.get(agent.runtime);
  if (runtime?.sessionStartOutput === undefined) return;
  const { skill, experience } = await ports.files.readSkill(persona.slug);
  const text = skill === undefined ? undefined : sessionContext(persona, { skill, experience });
  const output = text === undefined ? undefined : runtime.sessionStartOutput(text);
  if (text === undefined || output === undefined) return ports.files.keepSessionStart(agent.id, undefined);
  const name = ports.chance.sha256(output).slice(0, NAME_LENGTH);
  // This text is stored only for people to read, so a failure does not matter for the agent.
  await saveStartText(ports, agent, name, withoutControls(text)).catch((error: unknown) =>
    ports.log.warn(`could not store the text of a skill: ${errorMessage(error)}`, { agent: agent.id }),
  );
  await ports.files.keepSessionStart(agent.id, `${name}\n${output}\n`);
}

const NAME_LENGTH = 16;

/**
 * Called in every reconcile, because the operator may change a skill at any time, and the next session should start
 * with the current skill.
 */
export async function layOutSkills(ports: Ports, agents: readonly Agent[]): Promise<void> {
  for (const agent of agents) {
    const { personaId } = agent;
    const persona = personaId === null ? undefined : ports.store.read((tx) => tx.personaById(personaId));
    if (persona !== undefined) await layOutSkill(ports, agent, persona);
  }
}
