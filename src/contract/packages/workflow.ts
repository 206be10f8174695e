import { z } from 'zod';
import type { WrittenGate, WrittenStep, WrittenWorkflow } from '../../domain/workflows/workflow.ts';
import { AgentId, StepName } from './package.ts';
import type { ShapeOf } from './shape-of.ts';

/** The schema of a project's workflow file, and the schemas of the API resources about workflows. */

const text = (about: string, most = 8_000) => z.string().min(1).max(most).describe(about);

const Gate = z.strictObject({
  type: z.enum(['blocking', 'non_blocking']),
  name: text("The gate's name.", 200),
  items: z.array(text('One point to validate.', 2_000)).min(1).max(50).describe('The points to validate.'),
  contact: text('The person to ask next if nobody decides the gate.', 200).optional(),
} satisfies ShapeOf<WrittenGate>);

const Step = z.strictObject({
  step: StepName.describe('The name or number of the step. Two steps must not have the same name or number.'),
  agent: AgentId.optional().describe('The agent that does the step. Use the same name as in `to.agent` of a package.'),
  persona: AgentId.optional().describe('The slug of the persona that does the step. Use either `agent` or `persona`.'),
  deliverable: text('The deliverable of the step, used if the package does not name one.').optional(),
  gate: Gate.optional().describe('The gate that a person decides before the next step.'),
} satisfies ShapeOf<WrittenStep>);

/** The schema of a workflow file, which has the single root key `workflow`. */
export const WorkflowFile = z
  .strictObject({
    workflow: z.strictObject({
      name: text("The workflow's name.", 200),
      steps: z.array(Step).min(1).max(50).describe('The steps, in order.'),
    } satisfies ShapeOf<WrittenWorkflow>),
  })
  .meta({ id: 'WorkflowFile' });

const Problem = z.object({ sentence: z.string(), line: z.int().nullable() });

const StepView = z.object({
  step: StepName,
  agent: z.string(),
  deliverable: z.string().nullable(),
  gate: z.object({ type: z.string(), name: z.string(), items: z.array(z.string()) }).nullable(),
});

const WorkflowSteps = z.object({ name: z.string(), steps: z.array(StepView) });
export type WorkflowSteps = z.infer<typeof WorkflowSteps>;

export const WorkflowView = z
  .object({
    project_id: z.int(),
    path: z.string().describe('The path of the workflow file in the project.'),
    workflow: WorkflowSteps.nullable().describe('null if the project has no workflow or an invalid one.'),
    problem: Problem.nullable(),
    chains: z
      .array(
        z.object({
          root: z.string(),
          package: z.string().describe('The package that began the current step.'),
          state: z.string().describe('The state of the package that began the current step.'),
          agent: z.string().describe('The agent that has the current step.'),
          current_step: StepName,
          completed_steps: z.array(StepName),
          remaining_steps: z.array(StepName),
          gate: z.string().nullable().describe('The gate that waits for a person; null if there is none.'),
        }),
      )
      .describe('The position of each chain of packages in the workflow, according to the log.'),
  })
  .meta({ id: 'WorkflowView' });
export type WorkflowView = z.infer<typeof WorkflowView>;

/** Output of `baton workflow check`. */
export interface WorkflowCheck {
  readonly file: string;
  readonly ok: boolean;
  readonly workflow: WorkflowSteps | null;
  readonly problem: { readonly sentence: string; readonly line: number | null } | null;
}
