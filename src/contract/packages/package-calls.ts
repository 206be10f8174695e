import { z } from 'zod';
import { RULE_IDS } from '../../domain/packages/lint/rules.ts';
import { DECLINE_CODES } from '../../domain/packages/package-facts.ts';
import { Acknowledgment, CriterionResult } from './package.ts';

/** Request bodies of package calls. They are strict, so a misspelled field is reported and not ignored. */

const Words = z.string().trim().min(1).max(8_000);
const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const LocalId = z.string().min(1).max(64);

/**
 * Deprecated fields. They are ignored, because the host knows the caller and the revision that it read (decision 36).
 * Calls of 0.1.0 contain these fields, so a strict body without them would refuse those calls.
 */
const DEPRECATED = {
  epoch: z.int().optional().describe('Not needed any more.'),
  content_sha256: z.string().max(64).optional().describe('Not needed any more.'),
  covered_ids: z.array(LocalId).max(400).optional().describe('Not needed any more.'),
};

/** The package in a call. It is validated later, first by size and then by schema, to report problems by rule id. */
const Package = z
  .unknown()
  .describe('As an author writes it: see /api/packages/schema. Or with its root key `handoff`.');

const PackageOrText = Package.describe(
  'As an author writes it: see /api/packages/schema. Or with its root key `handoff`. Or the text of its file, YAML or JSON.',
);

const Waiver = z.strictObject({
  rule: z.enum(RULE_IDS).describe('Such as HP005.'),
  pointer: z.string().max(1_000).optional().describe('Waive only this place.'),
  why: Words,
  until: z.iso.datetime({ offset: true }),
});

export const CreatePackage = z.strictObject({
  package: PackageOrText,
  project_id: z.int().optional().describe('For a person; an agent always uses its own project.'),
  seal: z.boolean().default(true).describe('false: the package stays a draft.'),
  waivers: z.array(Waiver).max(20).default([]).describe('People only.'),
  key: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'A repeated call with the same key, body, project and waivers returns the same package; the key with other content is refused.',
    ),
});

export const LintPackage = z.strictObject({ package: PackageOrText, project_id: z.int().optional() });

export const SealPackage = z.strictObject({
  epoch: DEPRECATED.epoch,
  package: Package.optional().describe('New content, replaced before the package is sealed.'),
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
  package: Package.optional().describe('New content; if omitted, the content stays and the answers are added.'),
});

export const DeclinePackage = z.strictObject({ code: z.enum(DECLINE_CODES), reason: Words.optional() });

export const ProgressPackage = z.strictObject({ epoch: DEPRECATED.epoch, note: Words.optional() });

export const FailPackage = z.strictObject({ epoch: DEPRECATED.epoch, cause: Words });

const Result = CriterionResult.extend({ id: LocalId });

export const CompletePackage = z.strictObject({
  epoch: DEPRECATED.epoch,
  results: z.array(Result).max(200).default([]).describe('One result per criterion, unless a return has reported it.'),
  note: Words.optional(),
});

export const ReturnPackage = z.strictObject({
  package: Package,
  task: Words.optional().describe('The task in your own words; accepts the delegation first, if you have not yet.'),
  key: CreatePackage.shape.key,
});

export const DecidePackage = z.strictObject({
  option: z.enum(['approve', 'reject', 'question']),
  reason: z.string().trim().max(8_000).default('').describe('Required to reject and to ask.'),
  choice: z.string().trim().min(1).max(2_000).optional().describe('The chosen option, if an escalation asks "A or B".'),
  conditions: z.array(z.string().trim().min(1).max(2_000)).max(20).default([]),
  items: z.array(z.int().min(0)).max(200).optional().describe('Numbers of the approved items, from 0; omitted: all.'),
  seen: Hash.describe("The package's `seen`, as it was shown: the decision is about exactly that content."),
});
