/**
 * The types of a package as plain data (decision 38). The compiler checks the schema in `contract/packages/package.ts`
 * against these types. Authors may omit everything that the host fills in (id, timestamp, hashes, lineage).
 */
export const PACKAGE_TYPES = ['sequential', 'delegation', 'escalation', 'return', 'gate', 'continuation'] as const;
export type PackageType = (typeof PACKAGE_TYPES)[number];

/** `human` and `orchestrator` are reserved names that no agent can have. */
export const HUMAN = 'human';
export const ORCHESTRATOR = 'orchestrator';
/**
 * True for the reserved names `human` and `orchestrator`. The operator acts on all packages that are sent to or from
 * these names.
 */
export const isPerson = (name: string): boolean => name === HUMAN || name === ORCHESTRATOR;
/**
 * The receiver's name in a package whose author named no receiver. This name stands for the agent of the next workflow
 * step.
 */
export const NEXT = 'next';

/** The name of a workflow step, as its author wrote it. Two steps are the same if their names are the same text. */
export type StepName = string | number;

export interface PackageDecision {
  /** The id `pending` marks a decision that a person still has to make. */
  readonly id: string;
  readonly decision: string;
  readonly rationale?: string | undefined;
  readonly supersedes?: string | undefined;
  readonly status?: 'taken' | 'pending' | undefined;
}

export interface PackageArtifact {
  readonly path: string;
  readonly type?: 'spec' | 'code' | 'doc' | 'config' | 'test' | 'data' | 'other' | undefined;
  readonly description?: string | undefined;
  readonly role?: 'created' | 'modified' | 'referenced' | 'deleted' | undefined;
  readonly sha256?: string | undefined;
  readonly bytes?: number | undefined;
}

export interface OpenQuestion {
  readonly question: string;
  readonly priority: 'high' | 'medium' | 'low';
  readonly context?: string | undefined;
  readonly blocking?: boolean | undefined;
  readonly owner?: string | undefined;
}

export interface Verification {
  readonly kind: 'command' | 'file_exists' | 'json_path' | 'manual';
  readonly command?: string | undefined;
  readonly path?: string | undefined;
  readonly expect?: string | undefined;
  readonly timeout_s?: number | undefined;
}

export type Criterion =
  | string
  | { readonly id: string; readonly text: string; readonly verify?: Verification | undefined };

export type Constraint =
  | string
  | { readonly id: string; readonly text: string; readonly inherited_from?: string | undefined };

export interface PackageContext {
  readonly summary: string;
  readonly decisions?: readonly PackageDecision[] | undefined;
  readonly artifacts?: readonly PackageArtifact[] | undefined;
  readonly open_questions?: readonly OpenQuestion[] | undefined;
  readonly dead_ends?: readonly string[] | undefined;
  readonly assumptions?: readonly string[] | undefined;
  readonly contingency?: readonly { readonly if: string; readonly then: string }[] | undefined;
}

export interface Expectations {
  readonly deliverable: string;
  readonly constraints?: readonly Constraint[] | undefined;
  readonly success_criteria?: readonly Criterion[] | undefined;
  readonly deadline?: string | undefined;
}

export interface WorkflowState {
  readonly name: string;
  readonly current_step: StepName;
  readonly completed_steps: readonly StepName[];
  readonly remaining_steps: readonly StepName[];
}

export interface CriterionResult {
  readonly id: string;
  readonly result: 'pass' | 'fail' | 'unknown';
  readonly evidence?: string | undefined;
}

/** The result of a criterion. `checked` is true if the host has checked the file that the criterion names. */
export interface CheckedResult extends CriterionResult {
  readonly checked?: boolean;
}

interface Lineage {
  readonly parent?: string | undefined;
  readonly root?: string | undefined;
  readonly hop?: number | undefined;
  readonly supersedes?: string | undefined;
  readonly returns_for?: string | undefined;
}

/** A package as an author writes it. */
export interface PackageInput {
  readonly protocol?: 'handoff/1' | undefined;
  readonly id?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly type?: PackageType | undefined;
  readonly from: {
    readonly agent: string;
    readonly step?: StepName | null | undefined;
    readonly session?: string | undefined;
    readonly persona?: string | undefined;
  };
  readonly to: {
    readonly agent: string;
    readonly reason: string;
    readonly capabilities_required?: readonly string[] | undefined;
  };
  readonly reason_code?: 'context_limit' | 'shift_end' | 'task_boundary' | undefined;
  readonly context: PackageContext;
  readonly expectations?: Expectations | undefined;
  readonly criteria_results?: readonly CriterionResult[] | undefined;
  readonly workflow_state?: WorkflowState | undefined;
  readonly gate?:
    | {
        readonly type: 'blocking' | 'non_blocking';
        readonly name: string;
        readonly step?: StepName | null | undefined;
        readonly deadline?: string | undefined;
        readonly contact?: string | undefined;
      }
    | undefined;
  readonly validation_request?:
    | {
        readonly items: readonly string[];
        readonly options?:
          | {
              readonly approve?: string | undefined;
              readonly reject?: string | undefined;
              readonly question?: string | undefined;
            }
          | undefined;
      }
    | undefined;
  readonly lineage?: Lineage | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** The extension by which a person says that a package does not belong to the project's workflow (SPEC P28). */
const WORKFLOW = 'baton.workflow';
export const APART_FROM_WORKFLOW: NonNullable<PackageInput['extensions']> = { [WORKFLOW]: 'none' };

/** True if the package says that it does not belong to the project's workflow. */
export const isApartFromWorkflow = ({ extensions }: PackageInput): boolean => extensions?.[WORKFLOW] === 'none';

/** Returns the decisions that a person still has to make. */
export const pendingDecisions = ({ context }: Pick<PackageInput, 'context'>): readonly PackageDecision[] =>
  (context.decisions ?? []).filter(({ id, status }) => id === 'pending' || status === 'pending');

/** Matches a package id: `HO-2026-001`, or `HO-001` if a session counts its own ids. */
export const PACKAGE_ID = /^HO-(\d{4}-)?\d{3,}$/;

export const packageId = (year: number, number: number): string => `HO-${year}-${String(number).padStart(3, '0')}`;

/** A constraint or criterion with its id. */
export interface Named {
  readonly id: string;
  readonly text: string;
}

const named =
  (letter: 'K' | 'C') =>
  <Item extends Named>(item: string | Item, index: number): Item | Named =>
    typeof item === 'string' ? { id: countedId(letter, index), text: item } : item;

export const countedId = (letter: 'K' | 'C', index: number): string =>
  `${letter}-${String(index + 1).padStart(3, '0')}`;

/** Adds missing ids by position: `K-001` for the first constraint, `C-001` for the first criterion. */
export const namedConstraints = ({ expectations }: PackageInput): readonly Named[] =>
  (expectations?.constraints ?? []).map(named('K'));

export const namedCriteria = ({
  expectations,
}: PackageInput): readonly (Named & { readonly verify?: Verification | undefined })[] =>
  (expectations?.success_criteria ?? []).map(named('C'));
