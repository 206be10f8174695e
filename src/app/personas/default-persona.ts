import { refuseArchived } from '../../domain/personas/persona.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import type { Ports } from '../ports/index.ts';
import type { Project } from '../ports/store.ts';
import { personaNamed } from './find-by-name.ts';

/**
 * Sets the persona that agents of this project get unless the operator names another persona. Null removes the default
 * persona.
 */
export function changeDefaultPersona(
  ports: Pick<Ports, 'store' | 'secrets' | 'clock'>,
  projectId: number,
  requested: string | null,
): Promise<Project | Refusal> {
  return ports.store.write((tx): Project | Refusal => {
    const project = tx.projectById(projectId);
    if (project === undefined) return { code: 'project_not_found', sentence: `Project ${projectId} not found` };
    const persona = requested === null ? null : personaNamed(tx, requested);
    if (isRefusal(persona)) return persona;
    const archived = persona === null ? undefined : refuseArchived(persona);
    if (archived !== undefined) return archived;
    const defaultPersonaId = persona?.id ?? null;
    if (project.defaultPersonaId === defaultPersonaId) return project;
    const changed = { ...project, defaultPersonaId };
    tx.saveProject(changed);
    appendNotice(
      tx,
      ports,
      { type: 'project_default_persona_changed', projectId, slug: persona?.slug ?? null },
      { agentId: null, runId: null },
    );
    return changed;
  });
}
