import type { Agent } from '../../domain/agents/agent.ts';
import { sessionContext } from '../../domain/handoffs/prompts/prompts.ts';
import type { Persona } from '../../domain/personas/persona.ts';
import { withoutControls } from '../../domain/plain-text.ts';
import { remembered } from '../engine/remember-reads.ts';
import { errorMessage } from '../error-message.ts';
import { saveStartText } from '../messages/sent-prompts.ts';
import type { Ports } from '../ports/index.ts';

/**
 * Writes the current skill of the persona to the file that the hook prints when the agent's next session starts. If the
 * hook cannot give the skill, Baton types it. Returns false if the next reconcile must try again.
 */
export async function layOutSkill(ports: Ports, agent: Agent, persona: Persona): Promise<boolean> {
  const runtime = ports.runtimes.get(agent.runtime);
  if (runtime?.sessionStartOutput === undefined) return true;
  // A client with `startsWithFirstPrompt` begins its session only with the first prompt, so Baton types the skill as
  // that prompt. Only the agent's later sessions get the skill from the hook. A later reconcile writes the file for
  // those sessions.
  if (runtime.startsWithFirstPrompt && agent.priming.status !== 'done') return false;
  const { skill, experience } = await ports.files.readSkill(persona.slug);
  const text = skill === undefined ? undefined : sessionContext(persona, { skill, experience });
  const output = text === undefined ? undefined : runtime.sessionStartOutput(text);
  if (text === undefined || output === undefined) {
    await ports.files.keepSessionStart(agent.id, undefined);
    return true;
  }
  const name = ports.chance.sha256(output).slice(0, NAME_LENGTH);
  // Baton stores the text of the skill only to show it to people. If the text cannot be stored, the agent gets its
  // skill all the same.
  const isStored = await saveStartText(ports, agent, name, withoutControls(text)).then(
    () => true,
    (error: unknown) => {
      ports.log.warn(`could not store the text of a skill: ${errorMessage(error)}`, { agent: agent.id });
      return false;
    },
  );
  await ports.files.keepSessionStart(agent.id, `${name}\n${output}\n`);
  return isStored;
}

const NAME_LENGTH = 16;

/**
 * Returns a function that every reconcile calls. The function keeps the session-start files up to date, because the
 * operator may change a skill at any time. It reads the files of an agent only if a file or the persona has changed.
 */
export function createSkillLayer(ports: Ports): (agents: readonly Agent[]) => Promise<void> {
  let done = new Map<number, string>();
  return async (agents) => {
    const before = done;
    done = new Map();
    const personaById = remembered((id) => {
      const persona = ports.store.read((tx) => tx.personaById(id));
      return persona && { persona, mark: ports.files.skillMark(persona.slug) };
    });
    for (const agent of agents) {
      const found = agent.personaId === null ? undefined : personaById(agent.personaId);
      if (found === undefined) continue;
      // Note the versions of the files before the files are read. If a file changes during the read, the next reconcile
      // finds another version and reads the file again.
      const { persona, mark } = found;
      const laidOut = ports.files.sessionStartMark(agent.id);
      const { slug, role, name } = persona;
      const key = mark && laidOut && [mark, laidOut, slug, role, name, agent.runtime, agent.sessionUuid].join('\n');
      const isDone = key !== undefined && before.get(agent.id) === key;
      if ((isDone || (await layOutSkill(ports, agent, persona))) && key !== undefined) done.set(agent.id, key);
    }
  };
}
