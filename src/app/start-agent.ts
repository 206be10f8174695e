import type { Agent } from '../domain/agent/agent.ts';
import { personaNotFound, refuseArchived } from '../domain/persona/persona.ts';
import type { Refusal } from '../domain/refusals.ts';
import { createAgent } from './create-agent.ts';
import type { Ports } from './world.ts';

export interface StartRequest {
  readonly projectId: number;
  readonly personaSlug: string | undefined;
  readonly runtime: string;
}

/** Everything that can be known to be wrong is said now; the launch itself happens after the answer. */
export async function startAgent(ports: Ports, request: StartRequest): Promise<Agent | Refusal> {
  const runtime = ports.runtimes.get(request.runtime);
  if (runtime === undefined) {
    const known = [...ports.runtimes.keys()].join(', ');
    return {
      code: 'runtime_unknown',
      sentence: `Unknown runtime "${request.runtime.slice(0, 60)}": this Baton knows ${known}`,
    };
  }
  // What is missing on Baton's own PATH may be on the operator's.
  await ports.environment.ready();
  const unavailable = await runtime.whyUnavailable();
  if (unavailable !== undefined) return { code: 'runtime_unavailable', sentence: unavailable };
  const project = ports.store.read((tx) => tx.projectById(request.projectId));
  if (project === undefined) return { code: 'project_not_found', sentence: `Project ${request.projectId} not found` };
  const problem = await ports.files.whyNotAProject(project.path);
  if (problem !== undefined) return { code: 'bad_project_path', sentence: problem };
  return ports.store.write((tx) => {
    const persona = request.personaSlug === undefined ? null : tx.personaBySlug(request.personaSlug);
    if (persona === undefined) return personaNotFound(request.personaSlug ?? '');
    const archived = persona === null ? undefined : refuseArchived(persona);
    if (archived !== undefined) return archived;
    return createAgent(tx, ports, {
      projectId: project.id,
      personaId: persona?.id ?? null,
      runtime: runtime.id,
      previousAgentId: null,
    });
  });
}
