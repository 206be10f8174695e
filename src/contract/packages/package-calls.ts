import { z } from 'zod';
import { RULE_IDS } from '../../domain/packages/lint/rules.ts';
import { DECLINE_CODES } from '../../domain/packages/package-facts.ts';
import { Acknowledgment, CriterionResult } from './package.ts';

/** The request bodies of package calls. They are strict: a misspelled field is reported and not ignored. */

const Words = z.string().trim().min(1).max(8_000);
const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const LocalId = z.string().min(1).max(64);

/**
 * Deprecated fields, which Baton ignores: the host itself knows which agent calls, and which revision that agent has
 * read (decision 36). Clients of Baton 0.1.0 still send these fields, and a strict schema without them would refuse the
 * calls.
 */
const DEPRECATED = {
  epoch: z.int().optional().describe('Deprecated; Baton ignores this field.'),
  content_sha256: z.string().max(64).optional().describe('Deprecated; Baton ignores this field.'),
  covered_ids: z.array(LocalId).max(400).optional().describe('Deprecated; Baton ignores this field.'),
};

/**
 * The package that a call contains. This schema accepts any value, because the host itself checks the package's size
 * and schema and reports problems by rule id.
 */
const Package = z
  .unknown()
  .describe('The package as its author writes it (see /api/packages/schema), with or without the root key `handoff`.');

const PackageOrText = Package.describe(
  'The package as its author writes it (see /api/packages/schema), with or without the root key `handoff`; or the text of a package file, in YAML or JSON.',
);

const Waiver = z.strictObject({
  rule: z.enum(RULE_IDS).describe('The id of the waived rule, such as HP005.'),
  pointer: z
    .string()
    .max(1_000)
    .optional()
    .describe(
      'A JSON pointer to the place in the package for which the rule is waived. If omitted, the rule is waived for the whole package.',
    ),
  why: Words,
  until: z.iso.datetime({ offset: true }),
});

export const CreatePackage = z.strictObject({
  package: PackageOrText,
  project_id: z
    .int()
    .optional()
    .describe('The project of a package that a person sends. An agent always uses its own project.'),
  seal: z.boolean().default(true).describe('If false, the package stays a draft.'),
  waivers: z.array(Waiver).max(20).default([]).describe('Rules that a person waives; an agent cannot waive rules.'),
  key: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'A repeated call with the same key, body, project and waivers returns the same package. A call with the same key but other content is refused.',
    ),
});

export const LintPackage = z.strictObject({ package: PackageOrText, project_id: z.int().optional() });

export const SealPackage = z.strictObject({
  epoch: DEPRECATED.epoch,
  package: Package.optional().describe(
    'New content, which replaces the content of the draft before the package is sealed.',
  ),
});

export const WaiveRule = Waiver;

export const AcknowledgePackage = z.strictObject({
  acknowledgment: Acknowledgment,
  content_sha256: DEPRECATED.content_sha256,
  covered_ids: DEPRECATED.covered_ids,
});

export const AskAboutPackage = z.strictObject({
  questions: z.array(z.string().trim().min(1).max(2_000)).min(1).max(5),
  content_sha256: DEPRECATED.content_sha256,
});

export const AnswerPackage = z.strictObject({
  epoch: DEPRECATED.epoch,
  answers: z
    .array(z.strictObject({ id: LocalId, text: Words }))
    .min(1)
    .max(20),
  package: Package.optional().describe(
    'New content. If omitted, the old content stays and the answers are added to it.',
  ),
});

export const DeclinePackage = z.strictObject({ code: z.enum(DECLINE_CODES), reason: Words.optional() });

export const ProgressPackage = z.strictObject({ epoch: DEPRECATED.epoch, note: Words.optional() });

export const ReassignPackage = z.strictObject({
  to: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe('The new receiver: the slug of a persona, a role, an agent such as agent-5, or human.'),
  reason: Words.optional().describe('Why the package goes to this receiver. If omitted, the old reason stays.'),
});

export const FailPackage = z.strictObject({ epoch: DEPRECATED.epoch, cause: Words });

const Result = CriterionResult.extend({ id: LocalId });

export const CompletePackage = z.strictObject({
  epoch: DEPRECATED.epoch,
  results: z.array(Result).max(200).default([]).describe('One result for each criterion of the package.'),
  note: Words.optional(),
});

export const ReturnPackage = z.strictObject({
  package: Package,
  task: Words.optional().describe(
    'The task in your own words. If you have not accepted the delegation yet, this field accepts the delegation before the result is returned.',
  ),
  key: CreatePackage.shape.key,
});

export const DecidePackage = z.strictObject({
  option: z.enum(['approve', 'reject', 'question']),
  reason: z
    .string()
    .trim()
    .max(8_000)
    .default('')
    .describe(
      'The reason for the decision, or the question to the sender. Required if `option` is `reject` or `question`. Also required to approve an escalation that asks for a decision, unless `choice` is given.',
    ),
  choice: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .optional()
    .describe(
      'The chosen answer if an escalation asks for a decision such as "A or B". To approve such an escalation, give `choice` or `reason`.',
    ),
  conditions: z.array(z.string().trim().min(1).max(2_000)).max(20).default([]),
  items: z
    .array(z.int().min(0))
    .max(200)
    .optional()
    .describe('The numbers of the approved items; the first item is 0. If omitted, all items are approved.'),
  seen: Hash.describe(
    'The value of `seen` that was shown with the package. The decision applies to exactly that content.',
  ),
});
