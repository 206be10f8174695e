import type { Worktree } from '../../../domain/worktrees/worktree.ts';
import { errorMessage } from '../../error-message.ts';
import { appendNotice } from '../../inbox/append-notice.ts';
import type { Ports } from '../../ports/index.ts';
import type { WorkingDirectory } from '../../worktrees/working-directory.ts';

/**
 * Creates the worktree before its first agent starts. The rows of worktree and agent were stored together, so even
 * after a crash every worktree is listed. The agent starts only when the worktree's row says `ready`, so an unfinished
 * worktree can be created again.
 */
export async function makeWorktree(ports: Ports, { worktree, project }: WorkingDirectory): Promise<void> {
  if (worktree === undefined) return;
  const known = { ...worktree, projectPath: project.path };
  if (worktree.state === 'ready' && (await ports.worktrees.isThere(known))) return;
  if (worktree.state !== 'making')
    throw new Error(
      `the agent's worktree ${worktree.name} is gone (${worktree.path}); the branch ${worktree.branch} may still be there`,
    );
  ports.checkpoint('worktree:planned');
  try {
    await ports.worktrees.make(known);
  } catch (error) {
    await ports.store.write((tx) => {
      tx.saveWorktree({ ...worktree, state: 'removed', removedAt: ports.clock.now() });
      appendNotice(tx, ports, noticeOf('worktree_dropped', worktree), { agentId: null, runId: null });
    });
    throw new Error(`the agent's worktree ${worktree.name} could not be created: ${errorMessage(error)}`);
  }
  ports.checkpoint('worktree:made');
  await ports.store.write((tx) => {
    tx.saveWorktree({ ...worktree, state: 'ready' });
    appendNotice(tx, ports, noticeOf('worktree_created', worktree), { agentId: null, runId: null });
  });
  ports.checkpoint('worktree:noted');
}

type WorktreeNotice = 'worktree_planned' | 'worktree_created' | 'worktree_dropped' | 'worktree_removed';

export const noticeOf = <T extends WorktreeNotice>(type: T, { id, name, branch, path }: Worktree) =>
  ({ type, worktreeId: id, name, branch, path }) as const;
