import { HUMAN, NEXT, type PackageInput, type WorkflowState } from '../package/package.ts';
import type { StoredPackage } from '../package/stored-package.ts';
import { sameStep, type Workflow, type WorkflowGate, type WorkflowStep } from './workflow.ts';

/** P28. Where a sender stands in the workflow, by the log; never by what it says. */
export interface Standing {
  readonly workflow: Workflow;
  /** The step that is passed on; undefined: the workflow begins. */
  readonly done: WorkflowStep | undefined;
  readonly next: WorkflowStep;
}

/** What is known of a package that is about to be written. */
export interface Writing {
  readonly content: PackageInput;
  /** Its own number, where it has one already. */
  readonly id?: string;
  readonly parent: StoredPackage | undefined;
  /** All that the parent's chain holds. */
  readonly chain: readonly StoredPackage[];
}

const DEAD: readonly string[] = ['draft', 'rejected', 'failed', 'expired', 'cancelled', 'superseded'];
const isLive = ({ record }: StoredPackage): boolean => !DEAD.includes(record.state);

/** undefined: it has no step to pass on. */
export function standingOf(workflow: Workflow, writing: Writing): Standing | undefined {
  const { content, parent, chain } = writing;
  const from = content.from.agent;
  const begun = ancestors(parent, chain).find(({ step, record }) => step !== undefined && record.to === from);
  const at = begun === undefined ? beginning(workflow, from) : indexOf(workflow, begun);
  const next = at === undefined ? undefined : workflow.steps[at + 1];
  if (at === undefined || next === undefined) return undefined;
  const done = workflow.steps[at];
  const owns = begun === undefined || (['accepted', 'completed'].includes(begun.record.state) && done?.agent === from);
  return owns && passedOn(writing, next) === undefined ? { workflow, done, next } : undefined;
}

/** The step is with somebody else already, and has not come back. */
const passedOn = ({ content, id, chain }: Writing, next: WorkflowStep): StoredPackage | undefined =>
  chain.find(
    (each) =>
      each.step !== undefined &&
      sameStep(each.step.step, next.step) &&
      each.record.from === content.from.agent &&
      each.record.id !== id &&
      each.record.id !== content.lineage?.supersedes &&
      isLive(each),
  );

/** Whoever has the first step begins a chain of his own; a person has the first step begun. */
function beginning({ steps }: Workflow, from: string): number | undefined {
  if (from === HUMAN) return -1;
  return steps[0]?.agent === from ? 0 : undefined;
}

function indexOf({ name, steps }: Workflow, { step }: StoredPackage): number | undefined {
  if (step === undefined || step.workflow !== name) return undefined;
  const at = steps.findIndex((each) => sameStep(step.step, each.step));
  return at === -1 ? undefined : at;
}

/** Nearest first. */
function ancestors(parent: StoredPackage | undefined, chain: readonly StoredPackage[]): readonly StoredPackage[] {
  const found: StoredPackage[] = [];
  for (let each = parent; each !== undefined && !found.includes(each); ) {
    found.push(each);
    const above: string | null = each.lineage.parent;
    each = chain.find(({ record }) => record.id === above);
  }
  return found;
}

/** P28. Who is next is written by the host where the author names nobody. */
export const withReceiver = (content: PackageInput, standing: Standing | undefined): PackageInput =>
  content.to.agent === NEXT && standing !== undefined
    ? { ...content, to: { ...content.to, agent: standing.next.agent } }
    : content;

/** The state of the workflow once this step is passed on. The current step is the first of those that remain. */
export function stateBehind({ workflow, next }: Pick<Standing, 'workflow' | 'next'>): WorkflowState {
  const at = workflow.steps.findIndex(({ step }) => sameStep(step, next.step));
  const names = workflow.steps.map(({ step }) => step);
  return {
    name: workflow.name,
    current_step: next.step,
    completed_steps: names.slice(0, at),
    remaining_steps: names.slice(at),
  };
}

/** P28. What the author left out, and the workflow knows. */
export function withState(content: PackageInput, standing: Standing): PackageInput {
  const { deliverable } = standing.next;
  return {
    ...content,
    workflow_state: content.workflow_state ?? stateBehind(standing),
    ...(content.expectations === undefined && deliverable !== undefined ? { expectations: { deliverable } } : {}),
  };
}

/** P29. What a person is asked before the step is passed on; with the context that is passed on. */
export function gateBefore(content: PackageInput, { done }: Standing): PackageInput | undefined {
  const gate = done?.gate;
  if (done === undefined || gate === undefined) return undefined;
  const { type, name, items, contact } = gate;
  return {
    type: 'gate',
    from: { agent: content.from.agent, step: done.step },
    to: { agent: HUMAN, reason: `Gate "${name}" stands behind step ${done.step}` },
    gate: { type, name, step: done.step, ...(contact === undefined ? {} : { contact }) },
    context: content.context,
    validation_request: {
      items,
      options: {
        approve: 'The next step begins',
        reject: 'The step is done again',
        question: 'The author answers first',
      },
    },
  };
}

/**
 * P29. Is this the gate of the step? By name, step, kind and points, so that nobody writes himself an easier one, and about
 * all that is passed on: what a person has not seen, he has not approved.
 */
export function isGateOf(stored: StoredPackage, { done }: Standing, content: PackageInput): boolean {
  const gate: WorkflowGate | undefined = done?.gate;
  const own = stored.content.gate;
  if (done === undefined || gate === undefined || own === undefined) return false;
  const points = stored.content.validation_request?.items ?? [];
  const shown = new Set((stored.content.context.artifacts ?? []).map(({ path }) => path));
  return (
    stored.record.from === content.from.agent &&
    own.name === gate.name &&
    own.type === gate.type &&
    sameStep(own.step, done.step) &&
    gate.items.every((item) => points.includes(item)) &&
    (content.context.artifacts ?? []).every(({ path }) => shown.has(path))
  );
}

/** Where the chains of a workflow stand: by the last package of each that began a step and was not taken back. */
export function chainsOf(workflow: Workflow, packages: readonly StoredPackage[]): readonly ChainStanding[] {
  const latest = new Map<string, StoredPackage>();
  for (const each of packages)
    if (isLive(each) && indexOf(workflow, each) !== undefined) latest.set(each.lineage.root, each);
  return [...latest].flatMap(([root, stored]) => {
    const next = workflow.steps[indexOf(workflow, stored) ?? -1];
    if (next === undefined) return [];
    const isOpen = ({ record, lineage }: StoredPackage): boolean =>
      lineage.root === root && record.gate !== null && record.state === 'awaiting_human';
    return [{ root, stored, next, state: stateBehind({ workflow, next }), gate: packages.find(isOpen) }];
  });
}

export interface ChainStanding {
  readonly root: string;
  /** The package that began the current step. */
  readonly stored: StoredPackage;
  readonly next: WorkflowStep;
  readonly state: WorkflowState;
  /** A gate that waits for a person. */
  readonly gate: StoredPackage | undefined;
}
