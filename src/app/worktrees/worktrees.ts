import type { Agent } from '../../domain/agents/agent.ts';
import type { Refusal } from '../../domain/refusals.ts';
import {
  type Loss,
  lossesOf,
  type Removal,
  UNKNOWN_FACTS,
  type Worktree,
  type WorktreeFacts,
} from '../../domain/worktrees/worktree.ts';
import { noticeOf } from '../engine/effects/make-worktree.ts';
import { errorMessage } from '../error-message.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import type { Ports } from '../ports/index.ts';
import type { Project, Tx } from '../ports/store.ts';
import type { KnownWorktree } from '../ports/worktrees.ts';
import { agentsIn, refuseInUse, refuseProcessesIn } from './worktree-use.ts';

export interface SeenWorktree {
  readonly worktree: Worktree;
  readonly project: Project;
  /** All agents that worked in the worktree, oldest first. */
  readonly agents: readonly Agent[];
  readonly isThere: boolean;
  readonly facts: WorktreeFacts;
}

export async function listWorktrees(ports: Pick<Ports, 'store' | 'worktrees'>): Promise<readonly SeenWorktree[]> {
  const all = ports.store.read((tx) => tx.worktrees());
  const seen: SeenWorktree[] = [];
  // Inspect the worktrees one after another, because each inspection starts several git processes.
  for (const worktree of all) seen.push(await seeWorktree(ports, worktree));
  return seen;
}

async function seeWorktree(ports: Pick<Ports, 'store' | 'worktrees'>, worktree: Worktree): Promise<SeenWorktree> {
  const { project, agents } = ports.store.read((tx) => aroundOf(tx, worktree));
  const known = knownOf(worktree, project);
  // Check for the top folder of the worktree, not for the subfolder in which agents work: the branch that is checked
  // out now may lack this subfolder.
  const isThere = await ports.worktrees.isThere({ folder: worktree.path });
  const missing = {
    ...UNKNOWN_FACTS,
    problem: worktree.state === 'making' ? 'the worktree is being created' : 'the folder of the worktree is gone',
  };
  return { worktree, project, agents, isThere, facts: isThere ? await ports.worktrees.look(known) : missing };
}

/**
 * True if an earlier removal was killed after it had begun to delete the folder. Git can then no longer read the
 * worktree. The operator has already confirmed the losses, so Baton does not ask again.
 */
const isHalfRemoved = ({ worktree, facts }: SeenWorktree): boolean =>
  worktree.state === 'removing' && facts.uncommitted === null && facts.unreachable === null;

function aroundOf(tx: Tx, worktree: Worktree): { project: Project; agents: readonly Agent[] } {
  const project = tx.projectById(worktree.projectId);
  if (project === undefined) throw new Error(`the stored data of worktree ${worktree.name} is incomplete`);
  return { project, agents: agentsIn(tx, worktree) };
}

const knownOf = (worktree: Worktree, { path }: Project): KnownWorktree => ({ ...worktree, projectPath: path });

export interface RemovalRequest extends Removal {
  /** If true, Baton reports what the removal would do, but does not remove the worktree. */
  readonly dryRun: boolean;
}

export interface RemovalResult extends SeenWorktree {
  readonly removed: boolean;
  /** One entry for each kind of work that the removal destroyed or, in a dry run, would destroy. */
  readonly losses: readonly { readonly loss: Loss; readonly sentence: string }[];
  /**
   * The reason why the worktree was not removed or, in a dry run, would not be removed. Null if nothing prevents the
   * removal.
   */
  readonly refusal: Refusal | null;
}

/**
 * Removes an unused worktree on request. The removal is recorded before anything is deleted, so that no agent starts in
 * the worktree during the removal.
 */
export async function removeWorktree(
  ports: Ports,
  id: number,
  request: RemovalRequest,
): Promise<RemovalResult | Refusal> {
  const worktree = ports.store.read((tx) => tx.worktreeById(id));
  if (worktree === undefined || worktree.state === 'removed')
    return { code: 'worktree_not_found', sentence: `There is no worktree ${id}`, hint: 'See: baton worktree list' };
  const seen = await seeWorktree(ports, worktree);
  // If the folder is already gone, only commits can still be lost. These are the commits that only the worktree's
  // branch contains, and they are lost only if the branch is removed, too.
  const all = lossesOf(seen.facts, request);
  const isWhole = seen.isThere && !isHalfRemoved(seen);
  const losses = isWhole ? all : all.filter(({ loss }) => loss === 'unmerged' && request.branch);
  const kept = losses.filter(({ loss }) => !request.force.includes(loss));
  const inUse =
    ports.store.read((tx) => refuseInUse(tx, worktree)) ??
    (seen.isThere ? await refuseProcessesIn(ports, worktree) : undefined);
  const refusal = inUse ?? (kept.length === 0 ? null : hasWork(worktree, kept));
  if (request.dryRun) return { ...seen, removed: false, losses, refusal };
  if (refusal !== null) return refusal;
  const begun = await ports.store.write((tx): Refusal | undefined => {
    const used = refuseInUse(tx, worktree);
    if (used === undefined) tx.saveWorktree({ ...worktree, state: 'removing' });
    return used;
  });
  if (begun !== undefined) return begun;
  ports.checkpoint('worktree:removing');
  try {
    await ports.worktrees.remove(knownOf(worktree, seen.project), request);
  } catch (error) {
    const sentence = `The worktree ${worktree.name} was not removed completely: ${errorMessage(error)}`;
    return { code: 'worktree_not_possible', sentence, hint: 'Fix the cause, then try again' };
  }
  ports.checkpoint('worktree:removed');
  const removed = { ...worktree, state: 'removed', removedAt: ports.clock.now() } as const;
  await ports.store.write((tx) => {
    tx.saveWorktree(removed);
    appendNotice(tx, ports, noticeOf('worktree_removed', removed), { agentId: null, runId: null });
  });
  return { ...seen, worktree: removed, removed: true, losses, refusal: null };
}

const hasWork = ({ name }: Worktree, kept: RemovalResult['losses']): Refusal => ({
  code: 'worktree_has_work',
  sentence: `The worktree ${name} has work that would be lost: ${kept.map(({ sentence }) => sentence).join('; ')}`,
  hint: `Keep the work (commit or merge it), or discard it: baton worktree remove ${name} ${kept.map(({ loss }) => `--force ${loss}`).join(' ')}`,
});
