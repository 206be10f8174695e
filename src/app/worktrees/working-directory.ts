import type { Agent } from '../../domain/agents/agent.ts';
import type { Worktree } from '../../domain/worktrees/worktree.ts';
import type { Project, Tx } from '../ports/store.ts';

/** Where an agent works: in its project's own folder, or in the worktree that it was given or inherited. */
export interface WorkingDirectory {
  readonly project: Project;
  readonly worktree: Worktree | undefined;
  readonly folder: string;
}

/** undefined: its project is not there, which no store should hold. */
export function workingDirectoryOf(
  tx: Tx,
  agent: Pick<Agent, 'projectId' | 'worktreeId'>,
): WorkingDirectory | undefined {
  const project = tx.projectById(agent.projectId);
  const worktree = agent.worktreeId == null ? undefined : tx.worktreeById(agent.worktreeId);
  return project && { project, worktree, folder: worktree?.folder ?? project.path };
}
