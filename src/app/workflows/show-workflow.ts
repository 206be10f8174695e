import type { Refusal } from '../../domain/refusals.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { type ChainStanding, chainsOf } from '../../domain/workflows/workflow-position.ts';
import { type Asking, callerOf } from '../packages/package-caller.ts';
import type { WorkflowRead } from '../ports/files/workflow-files.ts';
import type { Ports } from '../ports/index.ts';
import type { Project } from '../ports/store.ts';

export interface ProjectWorkflow {
  readonly project: Project;
  readonly read: WorkflowRead;
  readonly chains: readonly ChainStanding[];
}

/** The project's workflow as its file is now, and the position of its chains according to the log. */
export async function showWorkflow(
  ports: Pick<Ports, 'store' | 'workflows'>,
  asking: Asking,
  id: number,
): Promise<ProjectWorkflow | Refusal> {
  const project = ports.store.read((tx) => {
    const caller = callerOf(tx, asking);
    if (isRefusal(caller)) return caller;
    const isOthers = caller.projectId !== null && caller.projectId !== id;
    return (isOthers ? undefined : tx.projectById(id)) ?? notFound(id);
  });
  if (isRefusal(project)) return project;
  const read = await ports.workflows.read(project.path);
  const chains =
    read.kind === 'workflow'
      ? ports.store.read((tx) => chainsOf(read.workflow, tx.packages({ projectId: project.id })))
      : [];
  return { project, read, chains };
}

const notFound = (id: number): Refusal => ({ code: 'project_not_found', sentence: `Project ${id} not found` });
