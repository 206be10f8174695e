import type { ProjectWorkflow } from '../../../app/workflows/show-workflow.ts';
import type * as contract from '../../../contract/packages/workflow.ts';
import { WORKFLOW_PATH, type Workflow } from '../../../domain/workflows/workflow.ts';

export const viewWorkflow = ({ name, steps }: Workflow): contract.WorkflowSteps => ({
  name,
  steps: steps.map(({ step, agent, deliverable, gate }) => ({
    step,
    agent,
    deliverable: deliverable ?? null,
    gate: gate === undefined ? null : { type: gate.type, name: gate.name, items: [...gate.items] },
  })),
});

export const viewProjectWorkflow = ({ project, read, chains }: ProjectWorkflow): contract.WorkflowView => ({
  project_id: project.id,
  path: WORKFLOW_PATH,
  workflow: read.kind === 'workflow' ? viewWorkflow(read.workflow) : null,
  problem: read.kind === 'bad' ? { sentence: read.sentence, line: read.line } : null,
  chains: chains.map(({ root, stored, next, state, gate }) => ({
    root,
    package: stored.record.id,
    state: stored.record.state,
    agent: next.agent,
    current_step: state.current_step,
    completed_steps: [...state.completed_steps],
    remaining_steps: [...state.remaining_steps],
    gate: gate?.record.id ?? null,
  })),
});
