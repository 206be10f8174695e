import type { Workflow } from '../../../domain/workflows/workflow.ts';

export type WorkflowRead =
  | { readonly kind: 'none' }
  /** The problem in one sentence, and its line in the file. */
  | { readonly kind: 'bad'; readonly sentence: string; readonly line: number | null }
  | { readonly kind: 'workflow'; readonly workflow: Workflow };

/**
 * Reads a project's workflow file without running anything. Never throws; if the file cannot be read, returns `bad`.
 */
export interface WorkflowFiles {
  read(projectPath: string): Promise<WorkflowRead>;
}
