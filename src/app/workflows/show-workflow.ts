import type { StoredPackage } from '../../domain/packages/stored-package.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { type ChainStanding, chainsOf } from '../../domain/workflows/workflow-position.ts';
import { type Asking, callerOf } from '../packages/package-caller.ts';
import type { WorkflowRead } from '../ports/files/workflow-files.ts';
import type { Ports } from '../ports/index.ts';
import type { Project, Tx } from '../ports/store.ts';

export interface ProjectWorkflow {
  readonly project: Project;
  readonly read: WorkflowRead;
  /** The chains of packages to show: every chain that contains a package in flight or one of the latest packages. */
  readonly chains: readonly ChainStanding[];
}

/**
 * Returns the project's workflow as its file defines it now, and the position of each chain of packages according to
 * the log.
 */
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
    read.kind === 'workflow' ? ports.store.read((tx) => chainsOf(read.workflow, packagesOfChains(tx, project.id))) : [];
  return { project, read, chains };
}

const LATEST_PACKAGES = 100;

/**
 * Returns all packages of each chain that contains a package in flight or one of the latest packages. The other chains
 * are left out, because a project may have thousands of chains.
 */
function packagesOfChains(tx: Tx, projectId: number): readonly StoredPackage[] {
  const inFlight = tx.packages({ projectId, inFlight: true });
  const latest = tx.packages({ projectId, limit: LATEST_PACKAGES });
  const roots = [...new Set([...inFlight, ...latest].map(({ lineage }) => lineage.root))];
  // The first package of a chain is its root, and package ids grow with time. So sorting by the root's id puts the
  // chains into the order in which they began.
  roots.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  return roots.flatMap((root) => tx.packages({ root }));
}

const notFound = (id: number): Refusal => ({ code: 'project_not_found', sentence: `Project ${id} not found` });
