import { HUMAN, NEXT, ORCHESTRATOR, type StepName } from '../packages/content/package.ts';
import { holdsSecret } from '../packages/lint/secrets.ts';

/** Path of the workflow file in a project. */
export const WORKFLOW_PATH = '.project/workflow.yaml';

/**
 * The order in which the agents of a project pass work on to each other. Baton reads it from a file in the project and
 * never executes this file.
 */
export interface Workflow {
  readonly name: string;
  readonly steps: readonly WorkflowStep[];
}

export interface WorkflowStep {
  readonly step: StepName;
  /** The name of the agent that does the step. A package for the step is addressed to this name. */
  readonly agent: string;
  /** If a package for this step has no `expectations`, Baton fills in this deliverable. */
  readonly deliverable?: string;
  /** The gate that a person must approve before the next step. */
  readonly gate?: WorkflowGate;
}

export interface WorkflowGate {
  readonly type: 'blocking' | 'non_blocking';
  readonly name: string;
  readonly items: readonly string[];
  readonly contact?: string;
}

/** The content of a workflow file, as its schema defines it. */
export interface WrittenWorkflow {
  readonly name: string;
  readonly steps: readonly WrittenStep[];
}

export interface WrittenStep {
  readonly step: StepName;
  readonly agent?: string | undefined;
  readonly persona?: string | undefined;
  readonly deliverable?: string | undefined;
  readonly gate?: WrittenGate | undefined;
}

export interface WrittenGate {
  readonly type: 'blocking' | 'non_blocking';
  readonly name: string;
  readonly items: readonly string[];
  readonly contact?: string | undefined;
}

export interface WorkflowProblem {
  readonly path: readonly (string | number)[];
  readonly sentence: string;
}

const RESERVED: readonly string[] = [HUMAN, ORCHESTRATOR, NEXT];

/**
 * Returns the first problem of a workflow file that the schema cannot detect (SPEC P27). Returns undefined if there is
 * none.
 */
export function workflowProblem({ steps, name }: WrittenWorkflow): WorkflowProblem | undefined {
  const names = steps.map(({ step }) => String(step));
  const tell = (index: number, key: string, sentence: string) => ({
    path: ['workflow', 'steps', index, key],
    sentence,
  });
  for (const [index, step] of steps.entries()) {
    const agent = agentOf(step);
    const before = steps[index - 1];
    if ((step.agent === undefined) === (step.persona === undefined))
      return tell(index, 'step', 'A step must name either an agent or a persona, not both.');
    if (RESERVED.includes(agent))
      return tell(index, 'step', `A step cannot be done by "${agent}"; use a gate to ask a person.`);
    if (names.indexOf(String(step.step)) < index) return tell(index, 'step', 'This step is listed twice.');
    if (before !== undefined && agentOf(before) === agent)
      return tell(index, 'step', 'This step has the same agent as the step before it; combine the two steps.');
    if (step.gate !== undefined && index === steps.length - 1)
      return tell(index, 'gate', 'The last step cannot have a gate, because no step follows it.');
  }
  const secret = holdsSecret({ name, steps });
  return secret ? { path: ['workflow'], sentence: 'The workflow contains text that looks like a secret.' } : undefined;
}

const agentOf = ({ agent, persona }: WrittenStep): string => agent ?? persona ?? '';

export const workflowOf = ({ name, steps }: WrittenWorkflow): Workflow => ({
  name,
  steps: steps.map((written) => {
    const { step, deliverable, gate } = written;
    return {
      step,
      agent: agentOf(written),
      ...(deliverable === undefined ? {} : { deliverable }),
      ...(gate === undefined ? {} : { gate: gateOf(gate) }),
    };
  }),
});

const gateOf = ({ type, name, items, contact }: WrittenGate): WorkflowGate => ({
  type,
  name,
  items,
  ...(contact === undefined ? {} : { contact }),
});

/** Compares steps as text, so 1 and "1" are the same step. */
export const sameStep = (one: StepName | null | undefined, other: StepName): boolean => String(one) === String(other);
