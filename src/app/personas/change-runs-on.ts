import { type RunsOn, runsOnInWords } from '../../domain/personas/runs-on.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import type { Ports } from '../ports/index.ts';
import type { Project } from '../ports/store.ts';
import { refuseRunsOn } from './choose-runtime.ts';

/** An entry in the list of runtimes that the operator wants to store. */
export interface WantedRunsOn extends RunsOn {
  /**
   * The position, counted from 1, of the stored entry whose arguments this entry keeps. Absent if this entry keeps no
   * stored arguments.
   */
  readonly keepArgsOf?: number;
}

/**
 * Returns the list of runtimes to store. If an entry keeps the arguments of a stored entry, copies those arguments.
 * Refuses a list that Baton cannot use, but accepts a client that is not installed now.
 */
export function completeList(
  ports: Pick<Ports, 'runtimes'>,
  wanted: readonly WantedRunsOn[],
  stored: readonly RunsOn[] = [],
): readonly RunsOn[] | Refusal {
  const list: RunsOn[] = [];
  for (const { keepArgsOf, ...choice } of wanted) {
    const kept = keepArgsOf === undefined ? undefined : stored[keepArgsOf - 1];
    if (keepArgsOf !== undefined && (kept?.args === undefined || kept.runtime !== choice.runtime))
      return {
        code: 'bad_request',
        sentence: `Position ${keepArgsOf} of the stored list of agent types has no arguments for ${choice.runtime}; perhaps the list was changed after you read it`,
        hint: 'Read the list again, then make your change again',
      };
    const complete = kept?.args === undefined ? choice : { ...choice, args: kept.args };
    const refusal = refuseRunsOn(ports, complete);
    if (refusal !== undefined) return refusal;
    list.push(complete);
  }
  return list;
}

/**
 * Returns the persona or project with this list of runtimes. An empty list removes the list that the persona or project
 * has. If the list is undefined, nothing changes.
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
  wanted: readonly WantedRunsOn[],
): Promise<Project | Refusal> {
  return ports.store.write((tx): Project | Refusal => {
    const project = tx.projectById(projectId);
    if (project === undefined) return { code: 'project_not_found', sentence: `Project ${projectId} not found` };
    const list = completeList(ports, wanted, project.runsOn);
    if (isRefusal(list)) return list;
    const changed = withRunsOn(project, list);
    tx.saveProject(changed);
    const notice = { type: 'runs_on_changed', of: project.name, list: list.map(runsOnInWords) } as const;
    appendNotice(tx, ports, notice, { agentId: null, runId: null });
    return changed;
  });
}
