import { countedId } from '../package.ts';
import type { LintFinding } from './finding.ts';
import { found } from './found.ts';
import { type PackageView, recordOf, type Stated, textOf } from './view.ts';
import { hasAnchor, isVague, VAGUE_CONSTRAINT, wordsOf } from './words.ts';

/** How a criterion can be checked: 3 by running something, 2 by counting, 1 by looking, 0 by taste. */
export type Tier = 0 | 1 | 2 | 3;

const RUNS =
  /`[^`\n]{2,200}`|\bexit(?:s|ed)?\s{1,4}(?:with\s{1,4})?(?:code\s{1,4}|status\s{1,4})?\d|\bexit (?:code|status)\b|\b[\w-]{1,60}\.(?:test|spec)\.\w{1,5}\b|(?:^|[\s"'(])tests?\/[\w./-]{1,200}|\bassert(?:s|ion|ions)?\b|\b(?:npm|pnpm|yarn|cargo|go|make|pytest|jest|vitest|gradle|mvn|curl|terraform|kubectl|docker)\s{1,4}[\w:.-]{2,60}\b/i;

const COUNTS = [
  /(?:[<>]=?|[≤≥=]|\b(?:at (?:least|most)|(?:no|not) (?:more|less|fewer) than|fewer than|less than|more than|under|below|above|over|within|up to|exactly|only|max(?:imum)?(?: of)?|min(?:imum)?(?: of)?|by))\s{0,4}(?:[$€]?\d|(?:one|two|three|four|five|six|seven|eight|nine|ten)\b)/i,
  /\d(?:[.,]\d+)?\s{0,4}(?:%|percent|ms|s\b|sec\b|seconds?|minutes?|min\b|hours?|days?|[KMG]i?B\b|bytes|px\b|rps\b|x\b|lines?\b|tests?\b|cases?\b|files?\b|pages?\b|users?\b|requests?\b|endpoints?\b|stories\b|items?\b|records?\b|rows?\b|errors?\b|warnings?\b|options?\b|scenarios?\b|versions?\b|points?\b|sentences?\b|words?\b)/i,
  /\b(?:HTTP|status|returns?|responds?(?: with)?|answers?(?: with)?)\s{1,4}(?:code\s{1,4})?[1-5]\d\d\b/i,
  /\b(?:all|each|every one|both)\s{1,4}(?:of\s{1,4})?(?:the\s{1,4})?\d+\b/i,
];

const ABSENCE = /\b(?:no|zero|none of the|without any|not a single)\s{1,4}[\p{L}-]{2}/iu;

const STATE =
  /\b(?:pass(?:es)?|exists?|returns?|responds?|answers?|contains?|includes?|lists?|names?|shows?|displays?|fails?|builds?|compiles?|renders?|logs?|rejects?|refuses?|accepts?|matches|equals?|validates?|starts?|stops?|opens?|deploys?|installs?|loads?|parses|prints?|writes|stores|covers?|references?|links?|appears?|remains?|keeps?|leaves?|survives?|restores?|removes?|hides?|narrows?|gets?|explains?|(?:can|cannot|must|does|do|may) (?:not )?(?:be )?[a-z]{3,}|(?:continues? to|still) (?:work|works|pass|passes)|has|have|(?:is|are) (?:(?:not|never|still|only) )?(?!handled|addressed|considered|improved|finished|completed|done)(?:[a-z]{2,}(?:ed|wn|nt)|set|put|met|written|green|empty|unique|valid|identical|present|visible|reachable|in))\b/i;

const REFERENT = /\b(?:all|every|each|both|any|a|an|the|two|three|without)\b|["'“«][^"'”»\n]{2,100}["'”»]/i;

/** P9. Words can show that something is measurable, never that it is the right thing to measure. */
export function tierOf(text: string): Tier {
  if (RUNS.test(text)) return 3;
  if (COUNTS.some((count) => count.test(text))) return 2;
  if (isVague(text)) return 0;
  if (ABSENCE.test(text)) return 2;
  return STATE.test(text) && (REFERENT.test(text) || hasAnchor(text)) ? 1 : 0;
}

/** HP401 to HP404 */
export function criterionFindings({ criteria }: PackageView): readonly LintFinding[] {
  return criteria.flatMap((criterion) => [...judged(criterion), ...runnable(criterion)]);
}

function judged({ text, path, fields }: Stated): readonly LintFinding[] {
  if (fields.verify !== undefined) return [];
  const tier = tierOf(text);
  if (tier === 0 && isVague(text))
    return [found('HP401', path, 'Nobody can tell whether this criterion is met: it is a matter of taste.')];
  if (tier === 0) return [found('HP402', path, 'It is not evident how this criterion is checked.')];
  return tier === 3 ? [] : [found('HP403', path, 'This criterion does not say how it is verified.')];
}

function runnable({ path, fields }: Stated): readonly LintFinding[] {
  if (fields.verify === undefined) return [];
  const verify = recordOf(fields.verify);
  const needs = { command: 'command', file_exists: 'path', json_path: 'path' }[String(verify.kind)];
  if (needs === undefined || textOf(verify[needs]) !== undefined) return [];
  return [found('HP404', [...path, 'verify'], `A criterion of kind ${verify.kind} has no ${needs} to verify it with.`)];
}

/** HP407. Whoever covers one of two with the same id, or tells its result, would have done so for both. */
export function idFindings({ constraints, criteria }: PackageView): readonly LintFinding[] {
  const idOf = (letter: 'K' | 'C', { fields, path }: Stated): string =>
    textOf(fields.id) ?? countedId(letter, Number(path.at(-1)));
  const all = [
    ...constraints.map((each) => ({ id: idOf('K', each), path: each.path })),
    ...criteria.map((each) => ({ id: idOf('C', each), path: each.path })),
  ];
  return all
    .filter(({ id }, index) => all.findIndex((each) => each.id === id) < index)
    .map(({ id, path }) => found('HP407', path, `The id ${id} is that of another constraint or criterion already.`));
}

/** HP405 and HP406 */
export function constraintFindings({ constraints }: PackageView): readonly LintFinding[] {
  const vague = constraints
    .filter(({ text }) => VAGUE_CONSTRAINT.test(text) && !/\d|`/.test(text))
    .map(({ path }) => found('HP405', path, 'This constraint cannot be measured.'));
  const seen = new Map<string, string>();
  const doubled = constraints.flatMap(({ text, path }) => {
    const subject = wordsOf(text).join(' ');
    const before = seen.get(subject);
    seen.set(subject, text);
    if (before === undefined || before === text || subject === '') return [];
    return [found('HP406', path, 'Two constraints say the same with different numbers.')];
  });
  return [...vague, ...doubled];
}
