import type { Instant } from '../instant.ts';
import type { GateDecision } from '../packages/record.ts';
import type { StoredPackage } from '../packages/stored-package.ts';

/** A part of a package that the search can find separately from the package. */
export interface PackagePart {
  readonly id: string;
  readonly at: Instant;
  readonly text: string;
}

/** Returns all texts of a package for the search, one in each line. */
export const packageText = ({ record, content, results }: StoredPackage): string =>
  [record.id, ...stringsIn(content), record.cause ?? '', ...stringsIn(results)]
    .filter((text) => text !== '')
    .join('\n');

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** Returns the decisions that the author of a package made, and the decision of the person who was asked. */
export function packageDecisions({ record, content, createdAt }: StoredPackage): readonly PackagePart[] {
  const made = (content.context.decisions ?? [])
    .filter(({ id, status }) => id !== 'pending' && status !== 'pending')
    .map(({ id, decision, rationale }) => ({
      id,
      at: createdAt,
      text: rationale === undefined ? decision : `${decision}\n${rationale}`,
    }));
  if (record.decision === null) return made;
  return [...made, { id: 'gate', at: record.decision.at, text: decided(record.decision, content.context.summary) }];
}

const OPTIONS = { approve: 'Approved', reject: 'Rejected', question: 'Asked back' } as const;

const decided = ({ option, by, reason, choice, conditions }: GateDecision, summary: string): string =>
  [
    `${OPTIONS[option]} by ${by}: ${summary}`,
    ...(choice === undefined ? [] : [`Choice: ${choice}`]),
    ...(reason === '' ? [] : [`Reason: ${reason}`]),
    ...conditions.map((condition) => `Condition: ${condition}`),
  ].join('\n');

/** Returns the questions of a package that were answered, each with its answer. */
export const packageAnswers = ({ answers, updatedAt }: StoredPackage): readonly PackagePart[] =>
  answers.map(({ id, question, answer, by }) => ({ id, at: updatedAt, text: `${question}\n${answer} (${by})` }));

/**
 * True if an event changed a text that the search can find in the package, or changed the package's sender or receiver.
 * Most events change none of these.
 */
export const hasNewText = (before: StoredPackage, after: StoredPackage): boolean =>
  before.content !== after.content ||
  before.answers !== after.answers ||
  before.results !== after.results ||
  before.record.decision !== after.record.decision ||
  before.record.cause !== after.record.cause ||
  before.senderAgentId !== after.senderAgentId ||
  before.receiverAgentId !== after.receiverAgentId;
