import type { Refusal } from '../../domain/refusals.ts';
import { branchOf, freeName, refuseName, type Worktree } from '../../domain/worktrees/worktree.ts';
import { noticeOf } from '../engine/effects/make-worktree.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import type { Ports } from '../ports/index.ts';
import type { Project, Tx } from '../ports/store.ts';

type Planned = Pick<Worktree, 'projectId' | 'name' | 'branch' | 'path' | 'folder' | 'base' | 'baseBranch'>;

export interface WorktreeRequest {
  /** The name of the worktree; if it is empty or undefined, Baton chooses a name. */
  readonly worktree?: string | undefined;
  readonly personaSlug: string | null | undefined;
}

/** Plans a worktree without creating anything. Returns a refusal if the worktree cannot be created. */
export async function planWorktree(
  ports: Pick<Ports, 'store' | 'worktrees'>,
  project: Project,
  { worktree, personaSlug }: WorktreeRequest,
): Promise<Planned | Refusal> {
  const requested = worktree === undefined || worktree === '' ? undefined : worktree;
  const unnameable = requested === undefined ? undefined : refuseName(requested);
  if (unnameable !== undefined) return unnameable;
  const taken = namesIn(ports, project);
  for (;;) {
    const name = requested ?? freeName(personaSlug ?? 'agent', taken);
    const known = ports.store.read((tx) => existing(tx, project.id, name));
    if (known !== undefined) return exists(known);
    const branch = branchOf(name);
    const plan = await ports.worktrees.plan({ project, name, branch });
    if (!('sentence' in plan)) return { projectId: project.id, name, branch, ...plan };
    // The name is already used, for example by the branch of a removed worktree. A name that the operator chose is
    // refused. If Baton chose the name, it tries another one.
    if (requested !== undefined || !plan.isNameTaken || taken.size > MAX_NAMES)
      return { code: 'worktree_not_possible', sentence: plan.sentence };
    taken.add(name);
  }
}

const MAX_NAMES = 200;

function namesIn(ports: Pick<Ports, 'store'>, project: Project): Set<string> {
  const all = ports.store.read((tx) => tx.worktrees());
  return new Set(all.filter(({ projectId }) => projectId === project.id).map(({ name }) => name));
}

/** Stores the worktree in the transaction that creates its agent, so that either both or neither exist. */
export function insertWorktree(tx: Tx, ports: Pick<Ports, 'secrets' | 'clock'>, planned: Planned): Worktree | Refusal {
  const known = existing(tx, planned.projectId, planned.name);
  if (known !== undefined) return exists(known);
  const worktree = tx.insertWorktree({ ...planned, state: 'making', createdAt: ports.clock.now(), removedAt: null });
  appendNotice(tx, ports, noticeOf('worktree_planned', worktree), { agentId: null, runId: null });
  return worktree;
}

const existing = (tx: Tx, projectId: number, name: string): Worktree | undefined =>
  tx.worktrees().find((worktree) => worktree.projectId === projectId && worktree.name === name);

const exists = ({ name, path }: Worktree): Refusal => ({
  code: 'worktree_exists',
  sentence: `This project already has a worktree named ${name}, in ${path}`,
  hint: 'Choose another name; see: baton worktree list',
});
