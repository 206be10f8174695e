import { z } from 'zod';
import type * as plain from '../../domain/packages/content/package.ts';
import { NEXT, PACKAGE_ID, PACKAGE_TYPES } from '../../domain/packages/content/package.ts';
import type { SealedPackage as PlainSealedPackage, RepoState } from '../../domain/packages/stored-package.ts';
import type { WrittenAcknowledgment } from '../../domain/packages/validate-acknowledgment.ts';
import type { ShapeOf } from './shape-of.ts';

/**
 * The schema of packages and acknowledgments. JSON Schema, lint and docs/PROTOCOL.md are derived from this schema. The
 * TypeScript types of packages are in the domain, which must not import zod (decision 38). The compiler checks the
 * schema against these types.
 */

const text = (about: string, most = 8_000) => z.string().min(1).max(most).describe(about);
const list = <T extends z.ZodType>(item: T, about: string) => z.array(item).max(200).describe(about);

export const AgentId = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,63}$/u)
  .describe('An agent, or one of the reserved ids `human` and `orchestrator`.');
export const StepName = z.union([z.string().min(1).max(200), z.int().min(0)]);
const Moment = z.iso.datetime({ offset: true });
const LocalId = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._:/#-]{0,63}$/u);
const PackageId = z.string().regex(PACKAGE_ID);

const Decision = z.strictObject({
  id: LocalId.describe('The id of the decision, such as `D-001`; `pending` if a person still has to decide.'),
  decision: text('What was decided.'),
  rationale: z.string().max(8_000).optional().describe('The reason. Required unless the decision is pending.'),
  supersedes: LocalId.optional().describe(
    'The id of the decision that this decision replaces. The replaced decision is in an earlier package of the same chain.',
  ),
  status: z.enum(['taken', 'pending']).optional(),
} satisfies ShapeOf<plain.PackageDecision>);

const Artifact = z.strictObject({
  path: text(
    'The path relative to the project, with `/` between its parts; the path of a folder ends with `/`.',
    1_000,
  ),
  type: z.enum(['spec', 'code', 'doc', 'config', 'test', 'data', 'other']).optional(),
  description: z.string().max(2_000).optional().describe('What the file is.'),
  role: z.enum(['created', 'modified', 'referenced', 'deleted']).optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe('The hash of the file or folder. Baton fills in this field when it seals the package.'),
  bytes: z
    .int()
    .min(0)
    .optional()
    .describe('The size of the file or folder in bytes. Baton fills in this field when it seals the package.'),
} satisfies ShapeOf<plain.PackageArtifact>);

const OpenQuestion = z.strictObject({
  question: text('What is unresolved.'),
  priority: z.enum(['high', 'medium', 'low']),
  context: z.string().max(8_000).optional(),
  blocking: z.boolean().optional().describe('If `false`, the work can continue without the answer.'),
  owner: z.string().min(1).max(200).optional().describe('The party that will answer the question.'),
} satisfies ShapeOf<plain.OpenQuestion>);

const Verify = z.strictObject({
  kind: z.enum(['command', 'file_exists', 'json_path', 'manual']),
  command: z.string().max(2_000).optional(),
  path: z.string().max(1_000).optional(),
  expect: z.string().max(2_000).optional(),
  timeout_s: z.int().min(1).max(3_600).optional(),
} satisfies ShapeOf<plain.Verification>);

const Criterion = z.union([
  text('As text.', 2_000),
  z.strictObject({ id: LocalId, text: text('As text.', 2_000), verify: Verify.optional() } satisfies ShapeOf<
    Exclude<plain.Criterion, string>
  >),
]);

const Constraint = z.union([
  text('As text.', 2_000),
  z.strictObject({
    id: LocalId,
    text: text('As text.', 2_000),
    inherited_from: PackageId.optional(),
  } satisfies ShapeOf<Exclude<plain.Constraint, string>>),
]);

export const CriterionResult = z.strictObject({
  id: LocalId.describe('The id of the criterion.'),
  result: z.enum(['pass', 'fail', 'unknown']),
  evidence: z.string().max(2_000).optional(),
} satisfies ShapeOf<plain.CriterionResult>);

const Context = z.strictObject({
  summary: text('Two or three sentences: what was done, with numbers, paths and names.'),
  decisions: list(Decision, 'What was decided, and why.').optional(),
  artifacts: list(Artifact, 'Every created file, with its exact path.').optional(),
  open_questions: list(OpenQuestion, 'Unresolved questions; empty if there are none.').optional(),
  dead_ends: list(text('What was tried and did not work.'), 'Dead ends that need not be tried again.').optional(),
  assumptions: list(text('An assumption.'), 'Assumptions that were not checked.').optional(),
  contingency: list(
    // biome-ignore lint/suspicious/noThenProperty: the word of the protocol; a text is no function, so nothing awaits it
    z.strictObject({ if: text('What may happen.'), then: text('What to do then.') }),
    'Plans for events that may happen.',
  ).optional(),
} satisfies ShapeOf<plain.PackageContext>);

const Expectations = z.strictObject({
  deliverable: text('What is expected from the receiver.'),
  constraints: list(Constraint, 'Constraints for the receiver.').optional(),
  success_criteria: list(
    Criterion,
    'Criteria that show whether the task is done; each of them can be checked.',
  ).optional(),
  deadline: Moment.optional(),
} satisfies ShapeOf<plain.Expectations>);

const WorkflowState = z.strictObject({
  name: text("The workflow's name.", 200),
  current_step: StepName,
  completed_steps: list(StepName, 'The completed steps, in order.'),
  remaining_steps: list(StepName, 'The remaining steps, in order.'),
} satisfies ShapeOf<plain.WorkflowState>);

const Gate = z.strictObject({
  type: z.enum(['blocking', 'non_blocking']),
  name: text("The gate's name.", 200),
  step: StepName.nullable().optional(),
  deadline: Moment.optional().describe('When Baton reminds the person. A passed deadline never approves the gate.'),
  contact: z.string().min(1).max(200).optional().describe('The person to ask next if nobody decides the gate.'),
} satisfies ShapeOf<NonNullable<plain.PackageInput['gate']>>);

const ValidationRequest = z.strictObject({
  items: list(text('One point to validate.', 2_000), 'The points to validate.'),
  options: z
    .strictObject({
      approve: z.string().max(500).optional(),
      reject: z.string().max(500).optional(),
      question: z.string().max(500).optional(),
    })
    .optional()
    .describe('What each answer means.'),
} satisfies ShapeOf<NonNullable<plain.PackageInput['validation_request']>>);

const Lineage = z.strictObject({
  parent: PackageId.optional(),
  root: PackageId.optional(),
  hop: z.int().min(0).optional(),
  supersedes: PackageId.optional(),
  returns_for: PackageId.optional().describe('The delegation that this return answers.'),
} satisfies ShapeOf<NonNullable<plain.PackageInput['lineage']>>);

const To = z.strictObject({
  agent: AgentId,
  reason: text('Why the package goes to this agent.', 2_000),
  capabilities_required: list(z.string().min(1).max(200), 'What the receiver must be able to do.').optional(),
} satisfies ShapeOf<plain.PackageInput['to']>);

const INPUT = {
  protocol: z.literal('handoff/1').optional(),
  id: PackageId.optional().describe('The id of the package, `HO-YYYY-NNN`. If omitted, Baton chooses the id.'),
  timestamp: Moment.optional().describe(
    'The time in RFC 3339 format with a time zone. If omitted, Baton sets the time.',
  ),
  type: z.enum(PACKAGE_TYPES).optional().describe('The type of the package. If omitted, Baton infers the type.'),
  from: z.strictObject({
    agent: AgentId,
    step: StepName.nullable().optional(),
    session: z.string().max(200).optional(),
    persona: z.string().max(200).optional(),
  } satisfies ShapeOf<plain.PackageInput['from']>),
  to: To.extend({ agent: AgentId.default(NEXT).describe('The receiver. If omitted, the next agent in the workflow.') }),
  reason_code: z
    .enum(['context_limit', 'shift_end', 'task_boundary'])
    .optional()
    .describe('Why the session ends. Only a package of the type `continuation` has this field.'),
  context: Context,
  expectations: Expectations.optional(),
  criteria_results: list(
    CriterionResult,
    'Results for the criteria of the delegation. Only a package of the type `return` has this field.',
  ).optional(),
  workflow_state: WorkflowState.optional(),
  gate: Gate.optional(),
  validation_request: ValidationRequest.optional(),
  lineage: Lineage.optional(),
  extensions: z
    .record(z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/), z.unknown())
    .optional()
    .describe('Additional data, under a reverse domain name such as `org.example`.'),
} satisfies ShapeOf<plain.PackageInput>;

/** A package as an author writes it. The host fills in the fields that the author omits. */
export const PackageInput = z.strictObject(INPUT).meta({ id: 'PackageInput' });
export type PackageInput = plain.PackageInput;

const Repo = z.strictObject({
  head: z.string().nullable(),
  branch: z.string().nullable(),
  changed: z.int().nullable().describe('The number of files with uncommitted changes, including untracked files.'),
  untracked: z.int().nullable(),
  ahead: z.int().nullable(),
  behind: z.int().nullable(),
  unknown: z.string().nullable().describe('Why the git state is unknown; null if it is known.'),
} satisfies ShapeOf<RepoState>);

/** A sealed package, which never changes. */
export const SealedPackage = z
  .strictObject({
    ...INPUT,
    protocol: z.literal('handoff/1'),
    id: PackageId,
    uid: z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/),
    revision: z.int().min(1),
    timestamp: Moment,
    type: z.enum(PACKAGE_TYPES),
    to: To,
    lineage: Lineage.extend({ root: PackageId, hop: z.int().min(0) }),
    repo: Repo.optional().describe('The git state of the project when the package was sealed.'),
    integrity: z.strictObject({
      content_sha256: z.string().regex(/^[0-9a-f]{64}$/),
      sealed_at: Moment,
      sealed_by: z.string().min(1).max(200),
      prev_sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .nullable(),
    }),
  } satisfies ShapeOf<PlainSealedPackage>)
  .meta({ id: 'SealedPackage' });
export type SealedPackage = PlainSealedPackage;

const Understood = z.union([
  z.enum(['full', 'partial', 'none']),
  z.strictObject({
    level: z.enum(['full', 'partial', 'none']).optional(),
    task: text('The task in your own words.'),
    constraints: z
      .union([z.string().max(8_000), list(z.string().max(2_000), 'One entry for each constraint.')])
      .optional(),
  }),
]);

export const Acknowledgment = z
  .strictObject({
    received: z.literal(true),
    from: z.string().min(1).max(200).optional().describe('The sender of the package.'),
    understood: Understood,
    questions: list(
      text('A question that must be answered before the work starts.', 2_000),
      'Questions to the sender, at most five in a round.',
    ).optional(),
    blockers: list(
      text('A problem that prevents the work from starting.', 2_000),
      'Problems that prevent the work from starting. Each problem names the path or quotes the words that it is about.',
    ).optional(),
    action: z
      .enum(['start', 'request_clarification', 'decline'])
      .optional()
      .describe('An acknowledgment with `decline` is refused. To decline a package, use `handoff_decline`.'),
    starting: z.boolean().optional(),
  })
  .meta({ id: 'Acknowledgment' }) satisfies z.ZodType<WrittenAcknowledgment>;

/** The schema of a package file, which has the single root key `handoff`. */
export const PackageFile = z.strictObject({ handoff: PackageInput }).meta({
  id: 'PackageFile',
  title: 'Handoff package, as its author writes it',
});
