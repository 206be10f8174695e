import { countedId, isPerson } from '../content/package.ts';
import { type ChainKnown, contradictionOf } from '../content/package-type.ts';
import { fieldProblems } from '../content/required-fields.ts';
import type { LintFinding } from './finding.ts';
import { found } from './finding-builder.ts';
import type { Severity } from './rules.ts';
import { isPending, listOf, type PackageView, type Path, recordOf, type Stated, textOf } from './view.ts';

const AHEAD_MS = 5 * 60_000;

/**
 * Checks HP004: the times of the package. Values that are not times are skipped, because the schema already reports
 * them.
 */
export function timeFindings({ raw }: PackageView, root: Path, now: string): readonly LintFinding[] {
  const at = Date.parse(textOf(raw.timestamp) ?? '');
  const late = (['expectations', 'gate'] as const).filter(
    (block) => Date.parse(textOf(recordOf(raw[block]).deadline) ?? '') <= Date.parse(now),
  );
  return [
    ...(at > Date.parse(now) + AHEAD_MS
      ? [found('HP004', [...root, 'timestamp'], 'The timestamp is in the future.', 'warning')]
      : []),
    // A deadline in the past would let the package expire at the next check of deadlines, before anyone could read it.
    ...late.map((block) => found('HP004', [...root, block, 'deadline'], 'The deadline has already passed.')),
  ];
}

/**
 * Checks the declared type and the required fields (SPEC P4 and P5, lint rules HP006 and HP008). The fields are checked
 * only if the type is known.
 */
export function typeFindings(view: PackageView, root: Path, chain?: ChainKnown): readonly LintFinding[] {
  const { raw, type, toAgent } = view;
  const contradiction = contradictionOf(raw, chain);
  if (contradiction !== undefined)
    return [found('HP008', [...root, 'type'], `The type does not match the package: ${contradiction}.`)];
  // A gate must not name an agent as its receiver. A person decides every gate, so the agent would never get the gate.
  if (type === 'gate' && toAgent !== undefined && !isPerson(toAgent))
    return [found('HP008', [...root, 'to', 'agent'], 'A gate must go to `human`, but this one goes to an agent.')];
  if (type === undefined) return [];
  return fieldProblems(raw, type).map(({ path, need }) => {
    const name = path.join('.');
    if (need === 'X') return found('HP008', [...root, ...path], `A ${type} must not have ${name}.`);
    return need === 'R'
      ? missingField(root, path, NEEDED[name] ?? `A ${type} needs ${name}.`)
      : missingField(root, path, WANTED[name] ?? `A ${type} should have ${name}.`, 'warning');
  });
}

/**
 * Returns the finding HP006 for a missing field. For some fields, the fix is more specific than the general fix of rule
 * HP006.
 */
export function missingField(root: Path, path: Path, message: string, severity?: Severity): LintFinding {
  const finding = found('HP006', [...root, ...path], message, severity);
  return { ...finding, fix: HOW_TO_WRITE[path.join('.')] ?? finding.fix };
}

const RECEIVER =
  'Write `to: { agent: NAME, reason: WHY }`. In a workflow, `to: { reason: WHY }` is enough: Baton fills in the next agent.';
const HOW_TO_WRITE: Readonly<Record<string, string>> = {
  from: 'Write `from: { agent: NAME }` with your own name; a person writes `from: { agent: human }`.',
  to: RECEIVER,
  'to.agent': RECEIVER,
  'to.reason': RECEIVER,
  'expectations.deliverable':
    'Add the deliverable. If the next step of the workflow has a deliverable, you can leave out the whole block `expectations`, and Baton fills in the deliverable.',
};

const NEEDED: Readonly<Record<string, string>> = {
  reason_code:
    'A package whose sender and receiver are the same must be a continuation, and a continuation needs `reason_code`.',
};
const WANTED: Readonly<Record<string, string>> = {
  'to.agent': 'The package names no receiver; only the workflow of a project can fill in the receiver.',
  'context.artifacts': 'A return package needs an artifact, a decision or a result, but this package has none of them.',
  'validation_request.options.approve': 'The options of this gate do not say what an approval means.',
  'validation_request.options.reject': 'The options of this gate do not say what a rejection means.',
  'context.open_questions': 'The package asks a person, but contains no question, decision or item to answer.',
};

/**
 * The field `verify` of a criterion must contain the command or path that the kind of verification requires (lint rule
 * HP006).
 */
export function verifyFindings({ criteria }: PackageView): readonly LintFinding[] {
  return criteria.flatMap(({ path, fields }) => {
    const verify = recordOf(fields.verify);
    const needs = { command: 'command', file_exists: 'path', json_path: 'path' }[String(verify.kind)];
    if (needs === undefined || textOf(verify[needs]) !== undefined) return [];
    return [found('HP006', [...path, 'verify'], `A criterion of kind ${verify.kind} needs a ${needs} to verify it.`)];
  });
}

/** Checks HP304: a decision needs a rationale, and a pending decision must go to a person. */
export function decisionFindings({ decisions, toAgent }: PackageView): readonly LintFinding[] {
  return decisions.flatMap((decision) => {
    const { fields, path } = decision;
    if (isPending(decision) && toAgent !== undefined && !isPerson(toAgent))
      return [found('HP304', path, 'A pending decision must go to a person, but this package goes to an agent.')];
    if (isPending(decision) || textOf(fields.decision) === undefined || textOf(fields.rationale) !== undefined)
      return [];
    return [found('HP304', path, 'This decision has no rationale.')];
  });
}

/** Ids must be unique, because results and acknowledgments refer to entries by id (lint rule HP406). */
export function doubledFindings({ constraints, criteria, decisions, artifacts }: PackageView): readonly LintFinding[] {
  const idOf = (letter: 'K' | 'C', { fields, path }: Stated): string =>
    textOf(fields.id) ?? countedId(letter, Number(path.at(-1)));
  const conditions = [
    ...constraints.map((each) => ({ key: idOf('K', each), path: each.path })),
    ...criteria.map((each) => ({ key: idOf('C', each), path: each.path })),
  ];
  const taken = decisions
    .filter((decision) => !isPending(decision))
    .flatMap(({ fields, path }) => keyed(textOf(fields.id), path));
  const paths = artifacts.flatMap(({ fields, path }) => keyed(textOf(fields.path)?.replace(/^\.\//, ''), path));
  return [
    ...[conditions, taken].flatMap((each) =>
      seconds(each).map(({ key, path }) => found('HP406', path, `Another entry already has the id ${key}.`)),
    ),
    ...seconds(paths).map(({ path }) => found('HP406', path, 'This artifact is listed twice.', 'warning')),
    ...[constraints, criteria].flatMap(otherNumbers),
  ];
}

const keyed = (key: string | undefined, path: Path) => (key === undefined ? [] : [{ key, path }]);

const seconds = <T extends { readonly key: string }>(all: readonly T[]): readonly T[] => {
  const seen = new Set<string>();
  return all.filter(({ key }) => seen.has(key) || !seen.add(key));
};

function otherNumbers(all: readonly Stated[]): readonly LintFinding[] {
  const seen = new Map<string, string>();
  return all.flatMap(({ text, path }) => {
    const subject = text
      .toLowerCase()
      .replace(/[\p{N}\p{P}\p{S}\s]+/gu, ' ')
      .trim();
    const before = seen.get(subject);
    seen.set(subject, text);
    if (before === undefined || subject === '') return [];
    return [found('HP406', path, 'This entry repeats another entry, or differs from it only in a number.', 'warning')];
  });
}

/**
 * Checks the workflow steps that the author states (SPEC P6, lint rule HP505). A step number that does not fit is only
 * a warning, because the author may begin to count the steps at any number.
 */
export function workflowFindings({ raw }: PackageView, root: Path): readonly LintFinding[] {
  const state = recordOf(raw.workflow_state);
  const completed = listOf(state.completed_steps).map(String);
  const remaining = listOf(state.remaining_steps).map(String);
  const current = state.current_step;
  const tell = (key: string, message: string, severity?: 'warning') => [
    found('HP505', [...root, 'workflow_state', key], message, severity),
  ];
  if (completed.some((step) => remaining.includes(step)))
    return tell('remaining_steps', 'A step is both completed and remaining.');
  for (const [key, steps] of [
    ['completed_steps', completed],
    ['remaining_steps', remaining],
  ] as const)
    if (new Set(steps).size < steps.length) return tell(key, 'A step is listed twice.');
  if (completed.length + remaining.length === 0 || current === undefined) return [];
  // The last completed step is accepted as the current step, because the author has just completed it.
  if (completed.slice(0, -1).includes(String(current)) && remaining.length > 0)
    return tell('current_step', 'The current step is one of the completed steps, but not the last of them.');
  if (remaining.indexOf(String(current)) > 0)
    return tell('current_step', 'Another remaining step comes before the current step.', 'warning');
  if (typeof current !== 'number' || remaining.includes(String(current)) || follows(current, completed, remaining))
    return [];
  return tell(
    'current_step',
    `The current step is number ${current}, but the number of completed steps is ${completed.length}.`,
    'warning',
  );
}

/**
 * True if `current` is the number of the last completed step or of the next step. Authors number steps in two ways:
 * they count the completed steps, or they use the numbers in the lists of steps.
 */
function follows(current: number, completed: readonly string[], remaining: readonly string[]): boolean {
  const last = completed.at(-1);
  const counted = [completed.length, completed.length + 1];
  return [...counted, Number(last), Number(last) + 1, Number(remaining[0]) - 1].includes(current);
}
