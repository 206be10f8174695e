import type { Workflow } from '../../../domain/workflows/workflow.ts';

export type WorkflowRead =
  | { readonly kind: 'none' }
  /** One sentence, and where in the file. */
  | { readonly kind: 'bad'; readonly sentence: string; readonly line: number | null }
  | { readonly kind: 'workflow'; readonly workflow: Workflow };

/** Reads a project's workflow file as data. Never throws: an unreadable file is `bad`. */
export interface WorkflowFiles {
  read(projectPath: string): Promise<WorkflowRead>;
}
