import { canonicalJson } from '../packages/content/canonical-json.ts';
import { HUMAN, NEXT, type PackageInput, type WorkflowState } from '../packages/content/package.ts';
import { isTerminal } from '../packages/record.ts';
import type { StoppedStep, StoredPackage } from '../packages/stored-package.ts';
import { sameStep, type Workflow, type WorkflowGate, type WorkflowStep } from './workflow.ts';

/**
 * The position of a package's sender in the workflow (SPEC P28). Baton determines the position from the log, and does
 * not rely on what the sender says.
 */
export interface Standing {
  readonly workflow: Workflow;
  /** The step that the sender has finished; undefined if a person begins the workflow with this package. */
  readonly done: WorkflowStep | undefined;
  readonly next: WorkflowStep;
  /** The package that assigned the finished step to the sender; undefined if the sender begins a chain of packages. */
  readonly begun: StoredPackage | undefined;
}

const ENDED_IN_VAIN: readonly string[] = ['draft', 'rejected', 'failed', 'cancelled'];
const isLive = ({ record }: StoredPackage): boolean => !ENDED_IN_VAIN.includes(record.state);

export interface Writing {
  readonly from: string;
  /**
   * Ids of packages to ignore: the package that is being written, if it has an id, and the package that it supersedes.
   */
  readonly except: readonly (string | undefined)[];
  /** The packages that assigned a workflow step to the sender, newest first. */
  readonly begun: readonly StoredPackage[];
  readonly chainOf: (root: string) => readonly StoredPackage[];
}

/** Returns the sender's position in the workflow; undefined if the sender cannot pass work on to a next step. */
export function workflowPositionOf(workflow: Workflow, writing: Writing): Standing | undefined {
  for (const begun of writing.begun) {
    const at = indexOf(workflow, begun);
    const done = at === undefined ? undefined : workflow.steps[at];
    const next = at === undefined ? undefined : workflow.steps[at + 1];
    if (done?.agent === writing.from && next !== undefined && !isPassedOn(writing, begun.lineage.root, next))
      return { workflow, done, next, begun };
  }
  const at = beginning(workflow, writing.from);
  const next = at === undefined ? undefined : workflow.steps[at + 1];
  const isBusy = writing.begun.some((each) => each.record.state === 'accepted' && indexOf(workflow, each) === at);
  if (at === undefined || next === undefined || isBusy) return undefined;
  return { workflow, done: workflow.steps[at], next, begun: undefined };
}

/**
 * True if the sender has already sent a package that begins the next step. Drafts and packages that ended
 * unsuccessfully do not count.
 */
export const isPassedOn = ({ from, except, chainOf }: Writing, root: string, next: WorkflowStep): boolean =>
  chainOf(root).some(
    (each) =>
      each.step !== undefined &&
      sameStep(each.step.step, next.step) &&
      each.record.from === from &&
      !except.includes(each.record.id) &&
      isLive(each),
  );

/**
 * Returns the index of the step that counts as finished if no package assigned a step to the sender. For the agent of
 * the first step this is 0. For a person it is -1, so that the first step comes next. Undefined for all others.
 */
function beginning({ steps }: Workflow, from: string): number | undefined {
  if (from === HUMAN) return -1;
  return steps[0]?.agent === from ? 0 : undefined;
}

function indexOf({ name, steps }: Workflow, { step }: StoredPackage): number | undefined {
  if (step === undefined || step.workflow !== name) return undefined;
  const at = steps.findIndex((each) => sameStep(step.step, each.step));
  return at === -1 ? undefined : at;
}

/** If the author names no receiver, fills in the agent of the next step as the receiver (SPEC P28). */
export const withReceiver = (content: PackageInput, standing: Standing | undefined): PackageInput =>
  content.to.agent === NEXT && standing !== undefined
    ? { ...content, to: { ...content.to, agent: standing.next.agent } }
    : content;

/**
 * Returns the workflow state at the beginning of the step `next`. In this state, `next` is the current step and also
 * the first of the remaining steps.
 */
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

/** Writes sender and receiver under the names that they have in the workflow (SPEC P28). A person keeps the own name. */
export const withStepNames = (content: PackageInput, { done, next }: Standing): PackageInput => ({
  ...content,
  from: { ...content.from, agent: done?.agent ?? content.from.agent },
  to: { ...content.to, agent: next.agent },
});

/** Fills in the fields that the author omitted but the workflow defines (SPEC P28). */
export function withState(content: PackageInput, standing: Standing): PackageInput {
  const { deliverable } = standing.next;
  return {
    ...content,
    workflow_state: content.workflow_state ?? stateBehind(standing),
    ...(content.expectations === undefined && deliverable !== undefined ? { expectations: { deliverable } } : {}),
  };
}

/**
 * Returns the gate that a person must approve before the next step begins (SPEC P29). Returns undefined if the workflow
 * has no gate there. The gate shows the person the context of the package.
 */
export function gateBefore(content: PackageInput, { done }: Standing): PackageInput | undefined {
  const gate = done?.gate;
  if (done === undefined || gate === undefined) return undefined;
  const { type, name, items, contact } = gate;
  return {
    type: 'gate',
    from: { agent: content.from.agent, step: done.step },
    to: { agent: HUMAN, reason: `Gate "${name}" comes after step ${done.step}` },
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
 * True if the stored package is the gate that the workflow defines: it has the same name, type and step, and contains
 * all items of the workflow's gate (SPEC P29). Without this check, an agent could replace the workflow's gate with an
 * easier one.
 */
export function isGateOf(stored: StoredPackage, { done }: Standing, from: string): boolean {
  const gate: WorkflowGate | undefined = done?.gate;
  const own = stored.content.gate;
  if (done === undefined || gate === undefined || own === undefined) return false;
  const points = stored.content.validation_request?.items ?? [];
  return (
    stored.record.from === from &&
    own.name === gate.name &&
    own.type === gate.type &&
    sameStep(own.step, done.step) &&
    gate.items.every((item) => points.includes(item))
  );
}

/** True if the gate showed the person every artifact and decision of this package (SPEC P21). */
export function wasShown(gate: StoredPackage, { context }: PackageInput): boolean {
  const shown = gate.content.context;
  const paths = new Set((shown.artifacts ?? []).map(({ path }) => path));
  const decisions = new Set((shown.decisions ?? []).map((each) => canonicalJson(each)));
  return (
    (context.artifacts ?? []).every(({ path }) => paths.has(path)) &&
    (context.decisions ?? []).every((each) => decisions.has(canonicalJson(each)))
  );
}

/**
 * Returns where the workflow has stopped after a completed step (SPEC P38). Returns undefined if it has not stopped. A
 * workflow has stopped if no package of the chain begins the next step, and no package or gate of the chain is still
 * open.
 */
export function stoppedAfter(
  workflow: Workflow,
  stored: StoredPackage,
  chain: readonly StoredPackage[],
): StoppedStep | undefined {
  const at = indexOf(workflow, stored);
  const done = at === undefined ? undefined : workflow.steps[at];
  const next = at === undefined ? undefined : workflow.steps[at + 1];
  if (done === undefined || next === undefined) return undefined;
  const isOpen = ({ record }: StoredPackage): boolean => !isTerminal(record);
  const begins = (each: StoredPackage): boolean => indexOf(workflow, each) === (at ?? 0) + 1 && isLive(each);
  const repeats = (each: StoredPackage): boolean =>
    indexOf(workflow, each) === at && each.seq > stored.seq && isLive(each);
  if (chain.some((each) => each !== stored && (isOpen(each) || begins(each) || repeats(each)))) return undefined;
  return {
    workflow: workflow.name,
    step: String(done.step),
    nextStep: String(next.step),
    nextAgent: next.agent,
  };
}

/**
 * Returns the position of each chain of packages in the workflow: the step that the latest package of the chain began.
 * Drafts and rejected, failed or canceled packages do not count.
 */
export function chainsOf(workflow: Workflow, packages: readonly StoredPackage[]): readonly ChainStanding[] {
  const latest = new Map<string, StoredPackage>();
  for (const each of packages)
    if (isLive(each) && indexOf(workflow, each) !== undefined) latest.set(each.lineage.root, each);
  return [...latest].flatMap(([root, stored]) => {
    const next = workflow.steps[indexOf(workflow, stored) ?? -1];
    if (next === undefined) return [];
    const isOpen = ({ record, lineage }: StoredPackage): boolean =>
      lineage.root === root && record.gate !== null && record.state === 'pending';
    return [{ root, stored, next, state: stateBehind({ workflow, next }), gate: packages.find(isOpen) }];
  });
}

export interface ChainStanding {
  readonly root: string;
  /** The package that began the current step. */
  readonly stored: StoredPackage;
  readonly next: WorkflowStep;
  readonly state: WorkflowState;
  /** The gate that waits for a person's decision; undefined if there is none. */
  readonly gate: StoredPackage | undefined;
}
