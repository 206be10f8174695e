import type { LintFinding } from './finding.ts';
import { found } from './found.ts';
import type { PackageView } from './view.ts';
import { contentWords, ELSEWHERE, ELSEWHERE_IN_SUMMARY, HEDGE, hasAnchor } from './words.ts';

const MOST_SENTENCES = 3;
const MOST_CHARACTERS = 600;

/** P8, HP101 to HP106 */
export function summaryFindings(view: PackageView): readonly LintFinding[] {
  const { summary } = view;
  if (summary === undefined) return [];
  return [...explicitness(summary.text, summary.path), ...length(summary.text, summary.path), ...unproven(view)];
}

function explicitness(text: string, path: readonly (string | number)[]): readonly LintFinding[] {
  if (hasAnchor(text)) return [];
  const words = new Set(contentWords(text)).size;
  if (ELSEWHERE.test(text) || ELSEWHERE_IN_SUMMARY.test(text))
    return [found('HP105', path, 'The summary refers to a conversation that the receiver cannot see.')];
  if (words < 2) return [found('HP101', path, 'The summary does not say what was done.')];
  if (words < 4) return [found('HP102', path, 'The summary says little about what was done.')];
  return [found('HP103', path, 'The summary has no number, path or name to hold on to.')];
}

function length(text: string, path: readonly (string | number)[]): readonly LintFinding[] {
  const sentences = text.split(/[.!?]{1,10}(?:\s|$)/).filter((part) => part.trim() !== '').length;
  if (sentences <= MOST_SENTENCES && text.length <= MOST_CHARACTERS) return [];
  return [
    found(
      'HP104',
      path,
      `The summary has ${sentences} sentences and ${text.length} characters; two or three sentences are asked for.`,
    ),
  ];
}

const CLAIM =
  /\b(?:all |unit |integration |e2e )?(?:tests?|checks?|build|suite|ci|pipeline)\s{1,4}(?:now\s{1,4}|all\s{1,4})?(?:pass(?:es|ed|ing)?|(?:is|are)\s{1,4}(?:green|passing))\b/i;

function unproven({ raw, summary, artifacts, criteria }: PackageView): readonly LintFinding[] {
  if (summary === undefined || !CLAIM.test(summary.text)) return [];
  const isShown =
    artifacts.length > 0 || raw.criteria_results !== undefined || criteria.some(({ fields }) => fields.verify);
  if (isShown) return [];
  return [found('HP106', summary.path, 'The summary claims a result and names nothing that shows it.')];
}

/** P8, HP105 and HP302, for all prose but the summary. */
export function proseFindings({ prose, summary, questions, raw }: PackageView): readonly LintFinding[] {
  const findings: LintFinding[] = [];
  for (const { text, path } of prose) {
    if (path.join('/') === summary?.path.join('/')) continue;
    if (ELSEWHERE.test(text) && !hasAnchor(text))
      findings.push(found('HP105', path, 'This refers to a conversation that the receiver cannot see.'));
  }
  const doubt = prose.find(({ text, path }) => HEDGE.test(text) && !path.includes('open_questions'));
  const asksPerson = raw.validation_request !== undefined;
  if (doubt !== undefined && questions.length === 0 && !asksPerson)
    findings.push(found('HP302', doubt.path, 'This tells of a doubt, and there is no open question.'));
  return findings;
}
