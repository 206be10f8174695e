import { type RunsOn, runsOnInWords } from '../../domain/personas/runs-on.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import type { Ports } from '../ports/index.ts';
import type { Project } from '../ports/store.ts';
import { refuseRunsOn } from './choose-runtime.ts';

/**
 * Returns why this list of runtimes cannot be used; undefined if it can. The list may contain a client that is not
 * installed now.
 */
export function refuseList(ports: Pick<Ports, 'runtimes'>, list: readonly RunsOn[]): Refusal | undefined {
  for (const each of list) {
    const refusal = refuseRunsOn(ports, each);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/**
 * Returns the persona or project with this list of runtimes. An empty list removes the stored list, and undefined
 * leaves it unchanged.
 */
export function withRunsOn<T extends { readonly runsOn?: readonly RunsOn[] }>(
  before: T,
  list: readonly RunsOn[] | undefined,
): T {
  if (list === undefined) return before;
  const { runsOn: _, ...rest } = before;
  return (list.length === 0 ? rest : { ...rest, runsOn: list }) as T;
}

/**
 * Sets the list of runtimes for the agents of a project. The logged notice does not contain the arguments, because they
 * may be secrets.
 */
export function changeProjectRunsOn(
  ports: Pick<Ports, 'store' | 'secrets' | 'clock' | 'runtimes'>,
  projectId: number,
  list: readonly RunsOn[],
): Promise<Project | Refusal> {
  return ports.store.write((tx): Project | Refusal => {
    const project = tx.projectById(projectId);
    if (project === undefined) return { code: 'project_not_found', sentence: `Project ${projectId} not found` };
    const refusal = refuseList(ports, list);
    if (refusal !== undefined) return refusal;
    const changed = withRunsOn(project, list);
    tx.saveProject(changed);
    const notice = { type: 'runs_on_changed', of: project.name, list: list.map(runsOnInWords) } as const;
    appendNotice(tx, ports, notice, { agentId: null, runId: null });
    return changed;
  });
}
