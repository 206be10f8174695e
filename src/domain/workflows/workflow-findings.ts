import type { WorkflowState } from '../packages/content/package.ts';
import { declaredType } from '../packages/content/package-type.ts';
import type { LintFinding } from '../packages/lint/finding.ts';
import { found } from '../packages/lint/finding-builder.ts';
import { listOf, type PackageView, type Path, recordOf, textOf } from '../packages/lint/view.ts';

/** The data about the project's workflow that the lint needs. */
export interface WorkflowKnown {
  readonly name: string;
  /** The names of the agents that perform the steps of the workflow, with each other name that the package uses for one. */
  readonly agents: readonly string[];
  /**
   * The agent of the next step, and the workflow state at the beginning of this step. Null if the sender cannot pass
   * work on to a next step.
   */
  readonly next: { readonly agent: string; readonly state: WorkflowState } | null;
}

/** Compares the author's workflow state with the log, and reports the differences (SPEC P28, lint rule HP505). */
export function workflowStateFindings(view: PackageView, root: Path, known: WorkflowKnown): readonly LintFinding[] {
  const tell = (path: Path, message: string) => [found('HP505', [...root, ...path], message)];
  if (view.type !== 'sequential') return [];
  const { name, agents, next } = known;
  if (next === null)
    return declaredType(view.raw) === 'sequential' && agents.includes(view.toAgent ?? '')
      ? tell(
          ['to', 'agent'],
          `The sender has no finished step of workflow "${name}", or has already handed that step to the next agent.`,
        )
      : [];
  if (view.toAgent !== next.agent)
    return agents.includes(view.toAgent ?? '')
      ? tell(['to', 'agent'], `In workflow "${name}", the agent of the next step is ${next.agent}.`)
      : [];
  const said = recordOf(view.raw.workflow_state);
  if (view.raw.workflow_state === undefined) return [];
  const { state } = next;
  if (textOf(said.name) !== state.name)
    return tell(['workflow_state', 'name'], `The workflow of this project is called "${name}".`);
  if (!same(listOf(said.completed_steps), state.completed_steps))
    return tell(
      ['workflow_state', 'completed_steps'],
      `According to the log, the completed steps are: ${listed(state.completed_steps)}.`,
    );
  const remaining = listOf(said.remaining_steps);
  if (!same(remaining, state.remaining_steps) && !same(remaining, state.remaining_steps.slice(1)))
    return tell(
      ['workflow_state', 'remaining_steps'],
      `According to the log, the remaining steps are: ${listed(state.remaining_steps)}.`,
    );
  // The author may state the current step in four ways: the step that begins or the step that has just ended, by name
  // or by number. Specification 004 uses all four ways, so all are accepted.
  const at = state.completed_steps.length;
  const right = [state.current_step, state.completed_steps.at(-1), at, at + 1].map(String);
  return right.includes(String(said.current_step))
    ? []
    : tell(
        ['workflow_state', 'current_step'],
        `According to the log, the step that begins now is ${state.current_step}.`,
      );
}

const same = (said: readonly unknown[], known: readonly unknown[]): boolean =>
  said.map(String).join('\n') === known.map(String).join('\n');

const listed = (steps: readonly unknown[]): string => steps.map(String).join(', ') || 'none';
