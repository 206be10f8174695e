import { listMachineObjects } from '../../../app/fleet/list-machines.ts';
import { isSameName } from '../../../app/personas/find-by-name.ts';
import type { Agent } from '../../../contract/resources.ts';
import { isLive } from '../../../domain/agents/agent.ts';
import { projectNames } from '../../../domain/project-names.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import type { HttpDeps } from '../server/route.ts';

const MAX_SHOWN = 80;

/**
 * Finds the live agent of another machine whose persona has the name or slug `text`. Refuses if there is no such agent,
 * or more than one. Searches the last known agents, which may be out of date. If the found agent has ended since then,
 * the other machine refuses the request.
 */
export function agentThere(deps: HttpDeps, machine: string, text: string): Agent | Refusal {
  const known = listMachineObjects(deps, machine, 'agent');
  if (isRefusal(known)) return known;
  const named = known.objects
    .map(({ body }) => JSON.parse(body) as Agent)
    .filter(({ persona }) => persona !== null && (persona.slug === text || isSameName(persona.name, text)))
    .filter(isLive);
  const [only, ...others] = named;
  if (only === undefined)
    return {
      code: 'agent_not_found',
      sentence: `No live agent on ${machine} is named "${text.slice(0, MAX_SHOWN)}"`,
      hint: `See: baton agent list --machine ${machine}`,
    };
  if (others.length === 0) return only;
  const nameOf = projectNames(named.map(({ project }) => project));
  const where = named.map(({ id, project }) => `agent ${id} in ${nameOf(project)}`).join(', ');
  return {
    code: 'name_ambiguous',
    sentence: `Several live agents on ${machine} are named ${only.persona?.name ?? text}: ${where}`,
    hint: 'Name the agent by its number.',
  };
}
