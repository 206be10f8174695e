import type { WorkflowRead } from '../../../src/app/ports/files/workflow-files.ts';
import { workflowOf } from '../../../src/domain/workflows/workflow.ts';

/** The personas that exchange packages. In a world with a workflow, no agent has the persona EVE at the beginning. */
export const CON = 'developer-con-1';
export const ANN = 'reviewer-ann-2';
export const EVE = 'tester-eve-3';

/** The path of the artifact that every package names. */
export const ARTIFACT = 'docs/api.md';

export const WORKFLOW: WorkflowRead = {
  kind: 'workflow',
  workflow: workflowOf({
    name: 'feature',
    steps: [
      {
        step: 'specify',
        persona: CON,
        gate: { type: 'blocking', name: 'Specification approved', items: ['All 12 endpoints are there'] },
      },
      { step: 'build', persona: ANN, deliverable: 'The 12 endpoints of docs/api.md' },
      { step: 'test', persona: EVE, deliverable: 'A test for each of the 12 endpoints' },
    ],
  }),
};

export const KINDS = ['pass', 'delegation', 'sequential', 'gate', 'escalation'] as const;
export type Kind = (typeof KINDS)[number];

/** Returns a package as its author writes it. The mark distinguishes packages with the same content. */
export function written(kind: Kind, from: string, to: string, mark: string): object {
  const context = {
    summary: `API defined in ${ARTIFACT}: 12 endpoints, JWT sessions (${mark})`,
    artifacts: [{ path: ARTIFACT, type: 'spec', description: 'The API', role: 'referenced' }],
    decisions: [],
    open_questions: [],
  };
  const sent = { from: { agent: from }, context };
  switch (kind) {
    case 'pass':
      return { ...sent, to: { reason: 'The step is done' } };
    case 'delegation':
    case 'sequential':
      return {
        ...sent,
        type: kind,
        to: { agent: to, reason: 'Need a review before the API is final' },
        expectations: {
          deliverable: 'Risk report on the 12 endpoints',
          success_criteria: [`No unaddressed critical risk in ${ARTIFACT}`],
        },
      };
    case 'gate':
      return {
        ...sent,
        to: { agent: 'human', reason: 'BLOCKING gate reached' },
        gate: { type: 'blocking', name: 'API approved' },
        validation_request: { items: ['The 12 endpoints are complete'] },
      };
    case 'escalation':
      return {
        ...sent,
        to: { agent: 'human', reason: 'Business decision required' },
        context: {
          ...context,
          decisions: [{ id: 'pending', decision: 'Approach A (fast) or B (robust)', rationale: 'Depends on priority' }],
          open_questions: [{ question: 'Which comes first: A or B?', priority: 'high' }],
        },
        expectations: { deliverable: 'A choice between A and B, with its reason' },
      };
  }
}

export const result = (mark: string, criteria: readonly string[]): object => ({
  context: {
    summary: `2 risks identified in ${ARTIFACT}, 2 recommendations provided (${mark})`,
    artifacts: [{ path: ARTIFACT, type: 'spec', description: 'The API', role: 'referenced' }],
    decisions: [],
    open_questions: [],
  },
  criteria_results: criteria.map((id) => ({ id, result: 'pass', evidence: ARTIFACT })),
});
