import { APART_FROM_WORKFLOW } from '../../domain/packages/content/package.ts';
import type { PackageInput } from './package.ts';

/** The fields of a package that gives work to an agent, as the page's form and `baton package new` ask for them. */
export interface PackageFields {
  /** The receiver's name, such as `developer-con-1`. */
  readonly to: string;
  readonly reason: string;
  readonly summary: string;
  /** Paths of files in the project. */
  readonly files: readonly string[];
  readonly deliverable: string;
  readonly criteria: readonly string[];
  /** True if the operator wants to approve the result before the package is completed. */
  readonly approval: boolean;
  /** True if the package begins the project's workflow; otherwise the package does not belong to the workflow. */
  readonly beginsWorkflow: boolean;
}

export const NO_FIELDS: PackageFields = {
  ...{ to: '', reason: '', summary: '', deliverable: '' },
  ...{ files: [], criteria: [], approval: false, beginsWorkflow: false },
};

/**
 * The constraint for a package whose result needs approval. The agent itself must observe this constraint, because
 * Baton enforces only the gates after the steps of a workflow.
 */
const APPROVAL = 'Send a blocking gate to human, and complete this package only after its approval.';

/** Returns the package that these fields describe, in the form of a package file. */
export const newPackage = (fields: PackageFields): { readonly handoff: PackageInput } => ({
  handoff: {
    type: 'sequential',
    from: { agent: 'human' },
    to: { agent: fields.to, reason: fields.reason },
    context: {
      summary: fields.summary,
      artifacts: fields.files.map((path) => ({ path, role: 'referenced' })),
      decisions: [],
      open_questions: [],
    },
    expectations: {
      deliverable: fields.deliverable,
      ...(fields.approval && { constraints: [APPROVAL] }),
      success_criteria: fields.criteria,
    },
    ...(!fields.beginsWorkflow && { extensions: APART_FROM_WORKFLOW }),
  },
});
