import { parseAddressee } from '../../domain/packages/content/addressee.ts';
import { APART_FROM_WORKFLOW, HUMAN, isPerson } from '../../domain/packages/content/package.ts';
import type { PackageInput } from './package.ts';

/** The fields of a package that gives work to a receiver, as the page's form and `baton package new` ask for them. */
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
 * The constraint that asks the agent to wait for an approval of its result. Baton cannot enforce this approval: it
 * enforces only the gates after the steps of a workflow.
 */
const APPROVAL = 'Send a blocking gate to human, and complete this package only after its approval.';

/** True for a name that addresses the operator. */
export const isOperatorName = (name: string): boolean => isPerson(name);

/** True for the name of one agent, such as `agent-5`. */
export const isAgentNumber = (name: string): boolean => parseAddressee(name).kind === 'agent';

/**
 * Returns the package that these fields describe, in the form of a package file. If an agent is the author, the type is
 * left out and Baton infers it: an escalation for a package to a person, otherwise a delegation or a workflow step.
 */
export const newPackage = (fields: PackageFields, from: string = HUMAN): { readonly handoff: PackageInput } => ({
  handoff: {
    ...(isPerson(from) && { type: 'sequential' }),
    from: { agent: from },
    to: { agent: fields.to, reason: fields.reason },
    context: {
      summary: fields.summary,
      artifacts: fields.files.map((path) => ({ path, role: 'referenced' })),
      decisions: [],
      open_questions: [],
    },
    expectations: {
      deliverable: fields.deliverable,
      ...(fields.approval && !isPerson(fields.to) && { constraints: [APPROVAL] }),
      // Without criteria, leave `success_criteria` out of an agent's package. With an empty list, Baton would take the
      // package for an incomplete delegation.
      ...((isPerson(from) || fields.criteria.length > 0) && { success_criteria: fields.criteria }),
    },
    ...(isPerson(from) && !fields.beginsWorkflow && { extensions: APART_FROM_WORKFLOW }),
  },
});
