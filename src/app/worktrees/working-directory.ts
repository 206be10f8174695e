import type { Agent } from '../../domain/agents/agent.ts';
import type { Worktree } from '../../domain/worktrees/worktree.ts';
import type { Project, Tx } from '../ports/store.ts';

/** The folder an agent works in: its project's own, or the worktree that it was given or inherited. */
export interface WorkingDirectory {
  readonly project: Project;
  readonly worktree: Worktree | undefined;
  readonly folder: string;
}

/** undefined: the project is missing, which a consistent store never has. */
export function workingDirectoryOf(
  tx: Tx,
  agent: Pick<Agent, 'projectId' | 'worktreeId'>,
): WorkingDirectory | undefined {
  const project = tx.projectById(agent.projectId);
  const worktree = agent.worktreeId == null ? undefined : tx.worktreeById(agent.worktreeId);
  return project && { project, worktree, folder: worktree?.folder ?? project.path };
}
