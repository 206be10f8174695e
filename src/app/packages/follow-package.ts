import { namedParent } from '../../domain/packages/content/lineage.ts';
import {
  isApartFromWorkflow,
  isPerson,
  NEXT,
  type PackageInput,
  type PackageType,
} from '../../domain/packages/content/package.ts';
import { declaredType, inferType } from '../../domain/packages/content/package-type.ts';
import { isParty, type PackageCaller } from '../../domain/packages/package-parties.ts';
import { isHandoffPackage, type StoredPackage } from '../../domain/packages/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { WORKFLOW_PATH } from '../../domain/workflows/workflow.ts';
import type { WorkflowKnown } from '../../domain/workflows/workflow-findings.ts';
import {
  gateBefore,
  isGateOf,
  isPassedOn,
  type Standing,
  stateBehind,
  type Writing,
  withReceiver,
  withState,
  withStepNames,
  workflowPositionOf,
} from '../../domain/workflows/workflow-position.ts';
import type { Tx } from '../ports/store.ts';
import type { Looked } from './observe-project.ts';
import { addressedBy, packageNotFound, refuseForRun } from './package-caller.ts';

/** A delegation that the sender of this package has accepted but not yet answered with a return package. */
export interface OpenDelegation {
  readonly handoff: string;
  readonly caller: string;
  readonly callee: string;
}

/**
 * A package together with its relations: the packages that it follows or answers, and the workflow step that it begins.
 */
export interface Followed {
  /**
   * The content of the package. Fields that the author omitted are filled in from the workflow or from the delegation.
   */
  readonly content: PackageInput;
  /**
   * The content to store for a draft. If the author omitted the receiver or the delegation, Baton fills them in. Baton
   * fills in no other relations, because they may still change until the draft is sealed.
   */
  readonly addressed: PackageInput;
  readonly type: PackageType | undefined;
  readonly parent: StoredPackage | undefined;
  /**
   * The package that this package follows: its parent or, if it has no parent, the newest package that the sender has
   * accepted and still works on.
   */
  readonly before: StoredPackage | undefined;
  /** The workflow step that the package begins; undefined if it begins none. */
  readonly move: Standing | undefined;
  readonly workflow: WorkflowKnown | null;
  readonly open: readonly OpenDelegation[];
  /**
   * The gates before this package, oldest first. The newest of them must be approved. `asked` is the content of the
   * gate that the workflow requires before this package, or undefined if the workflow requires no gate.
   */
  readonly gates: readonly StoredPackage[];
  readonly asked: PackageInput | undefined;
  /**
   * The gate of the sender's step that holds back this delegation, because the delegation goes to the agent of the next
   * step and no person has approved the gate (SPEC P29). Undefined for all other packages.
   */
  readonly held: StoredPackage | undefined;
}

/**
 * Finds out which packages this package follows or answers, and which workflow step it begins (SPEC P24, P27 and P28).
 */
export function followPackage(
  tx: Tx,
  caller: PackageCaller,
  written: PackageInput,
  { project, workflow }: Pick<Looked, 'project' | 'workflow'>,
  id?: string,
): Followed | Refusal {
  // Only a person can keep a sequential package out of the workflow, because an agent could otherwise avoid the gate
  // after its own step. If a person seals the draft of an agent, the draft stays inside the workflow, because the agent
  // is still its author.
  const isOwn = caller.kind === 'operator' && caller.names.includes(written.from.agent);
  const read = isOwn && isApartFromWorkflow(written) ? ({ kind: 'none' } as const) : workflow;
  const open = openDelegations(tx, caller, project.id, written);
  const named = parentOf(tx, caller, project.id, written, id);
  if (isRefusal(named)) return named;
  const standing = read.kind === 'workflow' ? positionIn(tx, caller, written, { read, named, id, project }) : undefined;
  const addressed = withReceiver(written, standing);
  const nextAgent = standing?.next.agent ?? null;
  const reach = reachOf(tx, project.id, addressed, standing);
  const personBegins = standing !== undefined && standing.done === undefined && written.to.agent !== NEXT;
  const inferred = inferType(addressed, { openFrames: open, nextAgent, personBegins });
  const type = declaredType(addressed) ?? (inferred === 'delegation' && reach.isAlias ? 'sequential' : inferred);
  if (read.kind === 'bad' && (type === 'sequential' || addressed.to.agent === NEXT)) return workflowUnusable(read);
  const move = type === 'sequential' && reach.isNext ? standing : undefined;
  const answered = type === 'return' ? withAnswered(addressed, open) : addressed;
  if (isRefusal(answered)) return answered;
  const content = move === undefined ? answered : withState(withStepNames(answered, move), move);
  const returned = content.lineage?.returns_for;
  const parent = named ?? (returned === undefined ? move?.begun : tx.packageById(returned));
  const before = parent ?? marked(tx, 'work', caller.names, project.id).at(-1);
  const asked = move === undefined ? undefined : gateBefore(content, move);
  return {
    content,
    addressed: answered,
    type,
    parent,
    before,
    move,
    workflow:
      read.kind === 'workflow'
        ? {
            name: read.workflow.name,
            agents: [...read.workflow.steps.map(({ agent }) => agent), ...reach.otherStep],
            next: standing === undefined ? null : { agent: standing.next.agent, state: stateBehind(standing) },
          }
        : null,
    open,
    asked,
    held:
      type === 'delegation' && reach.isNext && standing !== undefined
        ? heldBy(tx, caller, { content, move: standing, parent: before, projectId: project.id })
        : undefined,
    gates:
      asked !== undefined && move !== undefined
        ? gatesOfStep(tx, caller, { content, move, parent, projectId: project.id })
        : gatesOfChain(tx, caller, content, parent),
  };
}

interface Reach {
  /** True if the receiver's name addresses the agent of the next step, whether or not it addresses others as well. */
  readonly isNext: boolean;
  /** True if the receiver's name addresses only the agent of the next step, but is not its name in the workflow. */
  readonly isAlias: boolean;
  /** The receiver's name if it addresses the agent of another step, but not the agent of the next step. */
  readonly otherStep: readonly string[];
}

/**
 * Compares the receiver with the agents of the workflow by what its name addresses: an agent could otherwise avoid the
 * gate after its step with the role or the number of the next agent (SPEC P28). A person needs no gate, so the name that
 * a person writes is compared as text.
 */
function reachOf(tx: Tx, projectId: number, { from, to }: PackageInput, standing: Standing | undefined): Reach {
  const isNext = to.agent === standing?.next.agent;
  if (standing === undefined || isNext || isPerson(from.agent)) return { isNext, isAlias: false, otherStep: [] };
  const addressed = addressedBy(tx, projectId, to.agent);
  const isOf = (agents: readonly string[]) => (names: readonly string[]) => agents.some((each) => names.includes(each));
  const next = addressed.filter(isOf([standing.next.agent]));
  if (next.length > 0) return { isNext: true, isAlias: next.length === addressed.length, otherStep: [] };
  const isOther = addressed.some(isOf(standing.workflow.steps.map(({ agent }) => agent)));
  return { isNext: false, isAlias: false, otherStep: isOther ? [to.agent] : [] };
}

/**
 * Returns the parent that the author names. The parent must be another package of this project that the author sent or
 * received.
 */
function parentOf(
  tx: Tx,
  caller: PackageCaller,
  projectId: number,
  content: PackageInput,
  id: string | undefined,
): StoredPackage | undefined | Refusal {
  const name = namedParent(content);
  if (name === undefined) return undefined;
  const stored = tx.packageById(name);
  const isOwn =
    stored !== undefined &&
    stored.projectId === projectId &&
    name !== id &&
    isParty(stored, caller) &&
    [stored.record.from, stored.record.to].some((each) => caller.names.includes(each));
  if (!isOwn) return packageNotFound(name);
  return refuseSuperseding(tx, content, caller) ?? stored;
}

function refuseSuperseding(tx: Tx, { lineage, from }: PackageInput, { kind }: PackageCaller): Refusal | undefined {
  const old = lineage?.supersedes === undefined ? undefined : tx.packageById(lineage.supersedes);
  if (old === undefined) return undefined;
  // Refuse to supersede the package of a handoff run, because this would end the package while the run continues (SPEC
  // P26).
  if (isHandoffPackage(old)) return refuseForRun(old);
  return kind === 'operator' || old.record.from === from.agent
    ? undefined
    : { code: 'forbidden', sentence: `Only the sender of ${old.record.id} can replace it with a new package.` };
}

const openDelegations = (
  tx: Tx,
  { names }: PackageCaller,
  projectId: number,
  { from }: PackageInput,
): readonly OpenDelegation[] =>
  marked(tx, 'work', names, projectId)
    .filter(({ record }) => record.type === 'delegation')
    .map(({ record }) => ({ handoff: record.id, caller: record.from, callee: from.agent }));

const NEWEST = 50;

/**
 * Returns, for each name, the newest packages that have a mark of this kind for this name (see `PackageMarks`). The
 * packages of the first name come first; within one name, the oldest package comes first.
 */
const marked = (
  tx: Tx,
  mark: 'work' | 'step' | 'gate',
  names: readonly string[],
  projectId: number,
): readonly StoredPackage[] => names.flatMap((name) => tx.packagesMarked(mark, { projectId, name }, NEWEST, 'newest'));

/**
 * Adds the delegation to a return package whose author names no delegation (SPEC P23). If exactly one open delegation
 * comes from the receiver of the return package, Baton adds this delegation. If several open delegations come from the
 * receiver, Baton refuses the package.
 */
function withAnswered(content: PackageInput, open: readonly OpenDelegation[]): PackageInput | Refusal {
  if (content.lineage?.returns_for !== undefined) return content;
  const meant = open.filter(({ caller }) => caller === content.to.agent);
  const [only] = meant;
  if (meant.length > 1)
    return {
      code: 'bad_request',
      sentence: `${content.to.agent} waits for the results of ${meant.map(({ handoff }) => handoff).join(' and ')}, but the return package does not say which of these delegations it answers.`,
      hint: `Write lineage: { returns_for: ${only?.handoff} }`,
    };
  return only === undefined ? content : { ...content, lineage: { ...content.lineage, returns_for: only.handoff } };
}

interface InWorkflow {
  readonly read: Extract<Looked['workflow'], { kind: 'workflow' }>;
  readonly named: StoredPackage | undefined;
  readonly id: string | undefined;
  readonly project: Looked['project'];
}

function positionIn(
  tx: Tx,
  { names }: PackageCaller,
  content: PackageInput,
  { read, named, id, project }: InWorkflow,
): Standing | undefined {
  const begun = marked(tx, 'step', names, project.id)
    .filter(({ lineage }) => named === undefined || lineage.root === named.lineage.root)
    .toReversed();
  const { agent } = content.from;
  // An agent has its position under each of its names. It could otherwise avoid the gate after its step by sending as
  // `agent-N`.
  for (const name of new Set([agent, ...(names.includes(agent) && !isPerson(agent) ? names : [])])) {
    const standing = workflowPositionOf(read.workflow, writingOf(tx, name, content, begun, id));
    if (standing !== undefined) return standing;
  }
  return undefined;
}

const writingOf = (
  tx: Tx,
  from: string,
  { lineage }: Pick<PackageInput, 'lineage'>,
  begun: readonly StoredPackage[],
  id?: string,
): Writing => ({
  from,
  except: [id, lineage?.supersedes],
  begun,
  chainOf: (root) => tx.packages({ root }),
});

interface StepGates {
  readonly content: PackageInput;
  readonly move: Standing;
  readonly parent: StoredPackage | undefined;
  readonly projectId: number;
}

/**
 * Returns the gates of a workflow step. Searches the chain of the package. If the package is not in a chain yet,
 * searches the newest gates of the caller, because the gate of the first step begins its own chain.
 */
function gatesOfStep(
  tx: Tx,
  { names }: PackageCaller,
  { content, move, parent, projectId }: StepGates,
): readonly StoredPackage[] {
  const root = parent?.lineage.root ?? move.begun?.lineage.root;
  const known = root === undefined ? undefined : tx.packages({ root });
  const all = known ?? marked(tx, 'gate', names, projectId);
  const writing = writingOf(tx, content.from.agent, content, []);
  return all.filter(
    (each) =>
      isGateOf(each, move, content.from.agent) &&
      (known !== undefined || !isPassedOn(writing, each.lineage.root, move.next)),
  );
}

/**
 * Returns the newest blocking gate of the workflow step if no person has approved it. Returns undefined if the gate is
 * approved or was never opened in this chain.
 */
function heldBy(tx: Tx, caller: PackageCaller, step: StepGates): StoredPackage | undefined {
  const { content, move } = step;
  if (move.done?.gate?.type !== 'blocking') return undefined;
  const newest = gatesOfStep(tx, caller, { ...step, content: withStepNames(content, move) }).findLast(
    ({ record }) => record.revision > 0,
  );
  return newest?.record.outcome === 'approved' ? undefined : newest;
}

/**
 * Returns the gates before a package that is outside a workflow (SPEC P21). If the author names a blocking gate as the
 * parent, only this gate counts. If not, all blocking gates that the author opened in this chain count, even if the
 * author opened them under another of its names. They also count if the parent is a non-blocking gate, because the
 * author could open such a gate without a person's decision.
 */
function gatesOfChain(
  tx: Tx,
  { names }: PackageCaller,
  { from }: PackageInput,
  parent: StoredPackage | undefined,
): readonly StoredPackage[] {
  if (parent === undefined) return [];
  if (parent.record.gate?.kind === 'blocking') return [parent];
  const isOwn = (name: string): boolean => name === from.agent || names.includes(name);
  return tx
    .packages({ root: parent.lineage.root })
    .filter(({ record }) => record.gate?.kind === 'blocking' && isOwn(record.from) && record.revision > 0);
}

const workflowUnusable = ({
  sentence,
  line,
}: {
  readonly sentence: string;
  readonly line: number | null;
}): Refusal => ({
  code: 'workflow_unusable',
  sentence: `Nothing was done: the workflow of this project cannot be used (${WORKFLOW_PATH}${line === null ? '' : `, line ${line}`}: ${sentence})`,
  hint: `Correct the workflow file (baton workflow check ${WORKFLOW_PATH}), or, if the package does not belong to the workflow, give the package another type.`,
});
