import { type ChainKnown, contradictionOf, itemsToValidate } from '../infer-type.ts';
import { HUMAN } from '../package.ts';
import { fieldProblems, saysNone } from '../required-fields.ts';
import type { LintFinding } from './finding.ts';
import { found } from './found.ts';
import { listOf, type PackageView, type Path, recordOf, textOf } from './view.ts';

const AHEAD_MS = 5 * 60_000;

/** HP004 and HP009. What is no moment at all is for the schema to tell. */
export function timeFindings({ raw }: PackageView, root: Path, now: string): readonly LintFinding[] {
  const at = Date.parse(textOf(raw.timestamp) ?? '');
  const late = (['expectations', 'gate'] as const).filter(
    (block) => Date.parse(textOf(recordOf(raw[block]).deadline) ?? '') <= Date.parse(now),
  );
  return [
    ...(at > Date.parse(now) + AHEAD_MS
      ? [found('HP004', [...root, 'timestamp'], 'The timestamp is in the future.')]
      : []),
    // It would lapse with the next look at the clock, before anybody could have read it.
    ...late.map((block) => found('HP009', [...root, block, 'deadline'], 'The deadline has passed already.')),
  ];
}

/** P4 and P5, HP006 to HP008 and HP501. Without a type only what all types share is looked at. */
export function typeFindings({ raw, type }: PackageView, root: Path, chain?: ChainKnown): readonly LintFinding[] {
  const contradiction = contradictionOf(raw, chain);
  if (contradiction !== undefined)
    return [found('HP501', [...root, 'type'], `The type does not fit the package: ${contradiction}.`)];
  if (type === undefined) return [];
  return fieldProblems(raw, type).flatMap(({ path, need }) => {
    const name = path.join('.');
    const place = [...root, ...path];
    if (need === 'X') return [found('HP008', place, `A ${type} has no ${name}.`)];
    if (need === 'R') return [found('HP006', place, `A ${type} needs ${name}.`)];
    return saysNone(raw, path) ? [] : [found('HP007', place, `A ${type} should have ${name}.`)];
  });
}

/** HP301 and HP303 */
export function questionFindings({ raw, toAgent, questions }: PackageView, root: Path): readonly LintFinding[] {
  const context = recordOf(raw.context);
  const unsaid =
    context.open_questions === undefined && toAgent !== HUMAN
      ? [found('HP301', [...root, 'context', 'open_questions'], 'It is not said whether questions are open.')]
      : [];
  const urgent = questions.filter(
    ({ fields }) => fields.priority === 'high' && textOf(fields.owner) === undefined && fields.blocking !== false,
  );
  if (toAgent === HUMAN || toAgent === undefined) return unsaid;
  return [
    ...unsaid,
    ...urgent.map(({ path }) => found('HP303', path, 'An urgent question goes to an agent, and nobody owns it.')),
  ];
}

/** HP304 and HP305 */
export function decisionFindings({ decisions, toAgent }: PackageView): readonly LintFinding[] {
  return decisions.flatMap(({ fields, path }) => {
    const isPending = fields.id === 'pending' || fields.status === 'pending';
    if (isPending && toAgent !== undefined && toAgent !== HUMAN)
      return [found('HP304', path, 'A decision that nobody has taken is passed to an agent.')];
    if (isPending || textOf(fields.decision) === undefined || textOf(fields.rationale) !== undefined) return [];
    return [found('HP305', path, 'This decision does not say why it was taken.')];
  });
}

/** P6, HP505 */
export function workflowFindings({ raw }: PackageView, root: Path): readonly LintFinding[] {
  const state = recordOf(raw.workflow_state);
  const completed = listOf(state.completed_steps).map(String);
  const remaining = listOf(state.remaining_steps).map(String);
  const current = state.current_step;
  const tell = (key: string, message: string) => [found('HP505', [...root, 'workflow_state', key], message)];
  const both = completed.filter((step) => remaining.includes(step));
  if (both.length > 0) return tell('remaining_steps', 'A step is both completed and remaining.');
  for (const [key, steps] of [
    ['completed_steps', completed],
    ['remaining_steps', remaining],
  ] as const)
    if (new Set(steps).size < steps.length) return tell(key, 'A step is listed twice.');
  if (typeof current === 'string' && completed.includes(current) && remaining.length > 0)
    return tell('current_step', 'The current step is among the completed ones.');
  const isCounted = typeof current === 'number' && completed.length + remaining.length > 0;
  if (isCounted && !steps(completed, remaining).includes(current))
    return tell('current_step', `Step ${current} does not follow ${completed.length} completed steps.`);
  return [];
}

/** The last completed step, or the one after it. Lists may also name steps by number. */
function steps(completed: readonly string[], remaining: readonly string[]): readonly number[] {
  const named = [completed.at(-1), remaining[0]].map(Number).filter((step) => !Number.isNaN(step));
  return named.length > 0 ? [...named, Number(completed.at(-1)) + 1] : [completed.length, completed.length + 1];
}

/** HP501, HP601 and HP602 */
export function gateFindings({ raw, type, toAgent }: PackageView, root: Path): readonly LintFinding[] {
  if (type !== 'gate' || raw.gate === undefined) return [];
  const request = recordOf(raw.validation_request);
  const options = recordOf(request.options);
  const gate = recordOf(raw.gate);
  const findings: LintFinding[] = [];
  // A person decides it, so an agent that it names would never hear of it.
  if (toAgent !== undefined && toAgent !== HUMAN)
    findings.push(found('HP501', [...root, 'to', 'agent'], 'A gate goes to `human`, and this one goes to an agent.'));
  if (raw.validation_request !== undefined && !itemsToValidate(raw).some((item) => textOf(item) !== undefined))
    findings.push(found('HP601', [...root, 'validation_request', 'items'], 'The gate has no point to validate.'));
  if (raw.validation_request !== undefined && (!textOf(options.approve) || !textOf(options.reject)))
    findings.push(
      found('HP601', [...root, 'validation_request', 'options'], 'The gate cannot be both approved and rejected.'),
    );
  if (gate.type === 'blocking' && textOf(gate.deadline) === undefined && textOf(gate.contact) === undefined)
    findings.push(found('HP602', [...root, 'gate'], 'The gate blocks, and nobody is asked if no one answers.'));
  return findings;
}
