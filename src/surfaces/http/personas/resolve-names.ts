import { agentNamed, personaNamed } from '../../../app/personas/find-by-name.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { agentThere } from '../fleet/agent-there.ts';
import type { Match } from '../server/find-route.ts';
import { type HttpDeps, mapped, SLUG } from '../server/route.ts';

/** A path that contains a name instead of the id of an agent or the slug of a persona. */
export interface NamedPath {
  readonly name: string;
  /** The path with a placeholder instead of the name, so that the path matches a route. */
  readonly path: string;
}

const PLACEHOLDERS: Readonly<Record<string, string>> = { agents: '1', personas: 'x' };
const MAX_NAME = 200;

const OF_MACHINE = /^(?<machine>\/api\/machines\/[^/]+)(?<own>\/agents\/.+)$/;

/**
 * Finds the name in a path such as /api/agents/Con/handoff or /api/machines/laptop/agents/Con. Returns undefined if the
 * path cannot contain a name.
 */
export function namedPath(path: string): NamedPath | undefined {
  const { machine, own } = OF_MACHINE.exec(path)?.groups ?? {};
  const there = own === undefined ? undefined : namedPath(`/api${own}`);
  if (machine !== undefined && there !== undefined)
    return { name: there.name, path: `${machine}${there.path.slice('/api'.length)}` };
  const [root, api, kind = '', name = '', ...rest] = path.split('/');
  const placeholder = PLACEHOLDERS[kind];
  if (root !== '' || api !== 'api' || placeholder === undefined || name === '' || name.length > MAX_NAME)
    return undefined;
  return { name, path: ['', api, kind, placeholder, ...rest].join('/') };
}

/**
 * Replaces a name in the path by the id of an agent or the slug of a persona. Text that is the slug of a persona is
 * never treated as a name.
 */
export function resolveNames(deps: HttpDeps, match: Match, name: string | undefined): Match | Refusal {
  const { ports } = deps;
  if (match.machine !== '' && name !== undefined)
    return mapped(agentThere(deps, match.machine, name), ({ id }) => ({ ...match, id }));
  return ports.store.read((tx) => {
    if (!match.route.path.includes(SLUG)) {
      const agent = name === undefined ? undefined : agentNamed(tx, name);
      return agent === undefined ? match : isRefusal(agent) ? agent : { ...match, id: agent.id };
    }
    const persona = personaNamed(tx, name ?? match.slug);
    if (!isRefusal(persona)) return { ...match, slug: persona.slug };
    // If no persona has the slug in the path, do not change the slug. The route then answers "not found".
    return name === undefined && persona.code === 'persona_not_found' ? match : persona;
  });
}
