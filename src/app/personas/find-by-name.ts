import type { Agent } from '../../domain/agents/agent.ts';
import { type Persona, personaNotFound, plainWord } from '../../domain/personas/persona.ts';
import { projectNames } from '../../domain/project-names.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { Tx } from '../ports/store.ts';

const MAX_SHOWN = 80;

/**
 * Finds a persona by its slug, otherwise by its name. If an active and an archived persona have the same name, the
 * active one is found.
 */
export function personaNamed(tx: Tx, text: string): Persona | Refusal {
  const bySlug = tx.personaBySlug(text);
  if (bySlug !== undefined) return bySlug;
  const named = tx.personas().filter(({ name }) => isSameName(name, text));
  const active = named.filter(({ status }) => status === 'active');
  const [only, ...others] = active.length > 0 ? active : named;
  if (only === undefined) return personaNotFound(text);
  if (others.length === 0) return only;
  return {
    code: 'name_ambiguous',
    sentence: `Several personas are named ${only.name}: ${[only, ...others].map(({ slug }) => slug).join(', ')}`,
    hint: 'Name the persona by its slug.',
  };
}

/** Finds the only live agent whose persona has this name or slug. */
export function agentNamed(tx: Tx, text: string): Agent | Refusal {
  const personas = tx.personas().filter(({ name, slug }) => slug === text || isSameName(name, text));
  const ids = new Set(personas.map(({ id }) => id));
  const [only, ...others] = tx.liveAgents().filter(({ personaId }) => personaId !== null && ids.has(personaId));
  if (only === undefined) return noneLive(tx, text, personas);
  if (others.length === 0) return only;
  const projects = [only, ...others].flatMap(({ projectId }) => tx.projectById(projectId) ?? []);
  const nameOf = projectNames(projects);
  const where = [only, ...others].map(({ id, projectId }) => {
    const project = projects.find((each) => each.id === projectId);
    return `agent ${id} in ${project === undefined ? `project ${projectId}` : nameOf(project)}`;
  });
  return {
    code: 'name_ambiguous',
    sentence: `Several live agents are named ${personas[0]?.name ?? text}: ${where.join(', ')}`,
    hint: 'Name the agent by its number.',
  };
}

function noneLive(tx: Tx, text: string, personas: readonly Persona[]): Refusal {
  const last = personas
    .flatMap(({ id }) => tx.latestAgentOf({ personaId: id }) ?? [])
    .sort((one, other) => other.id - one.id)[0];
  const ended = last === undefined ? '' : `; the last one, agent ${last.id}, is ${last.state}`;
  return { code: 'agent_not_found', sentence: `No live agent is named "${text.slice(0, MAX_SHOWN)}"${ended}` };
}

/** Ignores case, accents and punctuation, because the CLI may remove them from a name that it puts into a URL path. */
export const isSameName = (name: string, text: string): boolean =>
  name.toLowerCase() === text.trim().toLowerCase() || (plainWord(name) !== '' && plainWord(name) === plainWord(text));
