import type { Agent } from '../../domain/agents/agent.ts';
import type { Worktree } from '../../domain/worktrees/worktree.ts';
import type { Project, Tx } from '../ports/store.ts';

/**
 * The folder in which an agent works: its project's own folder, or a worktree that the agent was given or inherited.
 */
export interface WorkingDirectory {
  readonly project: Project;
  readonly worktree: Worktree | undefined;
  readonly folder: string;
}

/**
 * Returns the agent's working directory; undefined if its project is missing in the store, which happens only if the
 * store is damaged.
 */
export function workingDirectoryOf(
  tx: Tx,
  agent: Pick<Agent, 'projectId' | 'worktreeId'>,
): WorkingDirectory | undefined {
  const project = tx.projectById(agent.projectId);
  const worktree = agent.worktreeId == null ? undefined : tx.worktreeById(agent.worktreeId);
  return project && { project, worktree, folder: worktree?.folder ?? project.path };
}
