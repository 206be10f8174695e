import type { LintFinding } from './finding.ts';
import { found } from './finding-builder.ts';
import { cannotBeChecked, hasAnchor, saysLittle, subjectOf, substanceOf } from './substance.ts';
import { ELSEWHERE, HEDGE } from './vague-words.ts';
import { isPending, type PackageView, type Path, type Placed, recordOf, textOf, textsIn } from './view.ts';

/**
 * A summary that names nothing specific must share words with the rest of the package: at least one in eight of its
 * content words must also occur there.
 */
const BY_CHANCE = 8;

/**
 * Checks HP101 and HP401: vague texts (SPEC P8 and P9). A text with few content words is vague if it names nothing
 * specific and shares no word with the rest of the package. The summary, constraints and criteria have
 * further rules.
 */
export function vagueFindings(view: PackageView, root: Path): readonly LintFinding[] {
  const { summary, raw, questions, decisions, constraints, criteria } = view;
  const subject = subjectOf(textsIn(raw, root).map(({ text }) => text));
  const isEmpty =
    (least: number) =>
    ({ text }: Placed): boolean =>
      !hasAnchor(text) && saysLittle(substanceOf(text, subject), least);
  const asked = [
    ...fieldOf(raw.expectations, 'deliverable', [...root, 'expectations']),
    ...decisions.filter(isPending).flatMap(({ fields, path }) => fieldOf(fields, 'decision', path)),
    ...textsIn(recordOf(raw.validation_request).items, [...root, 'validation_request', 'items']),
  ];
  const open = questions.flatMap(({ fields, path }) => fieldOf(fields, 'question', path));
  const reasons = [
    ...fieldOf(raw.to, 'reason', [...root, 'to']),
    ...decisions.flatMap(({ fields, path }) => fieldOf(fields, 'rationale', path)),
  ];
  const conditions = [...constraints, ...criteria].filter(({ fields }) => fields.verify === undefined);
  const vague = [
    ...asked.filter(isEmpty(5)),
    ...reasons.filter(isEmpty(2)),
    ...conditions.filter(({ text }) => cannotBeChecked(text, subject)),
  ];
  return [
    ...(summary !== undefined && isImplicit(summary.text, subject)
      ? [found('HP101', summary.path, 'The summary does not say what was done.')]
      : []),
    ...vague.map(({ path }) =>
      found('HP401', path, 'This text is vague: it names nothing that can be looked up or checked.'),
    ),
    // A question may well name nothing that can be checked, for example "time-to-market or maintainability?".
    ...open
      .filter(isEmpty(3))
      .map(({ path }) =>
        found('HP401', path, 'This question is very short and shares no word with the rest of the package.'),
      ),
  ];
}

function isImplicit(text: string, subject: ReadonlyMap<string, number>): boolean {
  if (hasAnchor(text)) return false;
  const { content, shared } = substanceOf(text, subject);
  return shared === 0 || shared * BY_CHANCE < content;
}

const fieldOf = (block: unknown, key: string, path: Path): Placed[] => {
  const text = textOf(recordOf(block)[key]);
  return text === undefined ? [] : [{ text, path: [...path, key] }];
};

/**
 * Checks HP105 and HP302: references to a conversation that the receiver cannot see, and questions in the summary that
 * are not listed as open questions.
 */
export function proseFindings({ prose, summary, questions, raw }: PackageView): readonly LintFinding[] {
  const asks = summary !== undefined && (HEDGE.test(summary.text) || /[?？؟](?:\s|$)/.test(summary.text));
  return [
    ...prose
      .filter(({ text }) => ELSEWHERE.test(text) && !hasAnchor(text))
      .map(({ path }) => found('HP105', path, 'This text refers to a conversation that the receiver cannot see.')),
    ...(asks && questions.length === 0 && raw.validation_request === undefined
      ? [found('HP302', summary.path, 'The summary leaves something open, but `open_questions` is empty.')]
      : []),
  ];
}

const MAX_SENTENCES = 3;
const MAX_CHARACTERS = 600;

/** Checks HP104: the length of the summary. */
export function lengthFindings({ summary }: PackageView): readonly LintFinding[] {
  if (summary === undefined) return [];
  const { text, path } = summary;
  const sentences = text.split(/[.!?。！？]{1,10}(?:\s|$)/).filter((part) => part.trim() !== '').length;
  if (sentences <= MAX_SENTENCES && text.length <= MAX_CHARACTERS) return [];
  const size = `${sentences} ${sentences === 1 ? 'sentence' : 'sentences'} and ${text.length} characters`;
  return [found('HP104', path, `The summary has ${size}; it should have two or three sentences.`)];
}
