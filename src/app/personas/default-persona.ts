import { personaNotFound, refuseArchived } from '../../domain/personas/persona.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import type { Ports } from '../ports/index.ts';
import type { Project } from '../ports/store.ts';

/** Sets the persona that agents of this project get unless another one is named; null for none. */
export function changeDefaultPersona(
  ports: Pick<Ports, 'store' | 'secrets' | 'clock'>,
  projectId: number,
  slug: string | null,
): Promise<Project | Refusal> {
  return ports.store.write((tx): Project | Refusal => {
    const project = tx.projectById(projectId);
    if (project === undefined) return { code: 'project_not_found', sentence: `Project ${projectId} not found` };
    const persona = slug === null ? null : tx.personaBySlug(slug);
    if (persona === undefined) return personaNotFound(slug ?? '');
    const archived = persona === null ? undefined : refuseArchived(persona);
    if (archived !== undefined) return archived;
    const defaultPersonaId = persona?.id ?? null;
    if (project.defaultPersonaId === defaultPersonaId) return project;
    const changed = { ...project, defaultPersonaId };
    tx.saveProject(changed);
    appendNotice(
      tx,
      ports,
      { type: 'project_default_persona_changed', projectId, slug },
      { agentId: null, runId: null },
    );
    return changed;
  });
}
