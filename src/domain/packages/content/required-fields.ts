import { recordOf } from '../lint/view.ts';
import type { PackageType } from './package.ts';

/**
 * R: the field is required. W: the field is wanted, so a missing field causes a warning. X: the field is forbidden. -:
 * the field is optional.
 */
type Need = 'R' | 'W' | 'X' | '-';

interface Field {
  readonly path: readonly string[];
  readonly need: Readonly<Record<PackageType, Need>>;
  /**
   * Returns true if the package does not need this field, for example because another field has the same purpose. The
   * lint then does not report that this field is missing.
   */
  readonly orElse?: (value: unknown, type: PackageType) => boolean;
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => recordOf(inner)[key], value);

const isThere = (found: unknown): boolean => {
  if (Array.isArray(found)) return found.length > 0;
  return typeof found === 'string' ? found.trim() !== '' : found !== undefined && found !== null;
};

const field = (path: string, needs: string, orElse?: Field['orElse']): Field => {
  const [sequential = '-', delegation = '-', escalation = '-', back = '-', gate = '-', continuation = '-'] =
    needs.split(' ') as Need[];
  return {
    path: path.split('.'),
    need: { sequential, delegation, escalation, return: back, gate, continuation },
    ...(orElse === undefined ? {} : { orElse }),
  };
};

const has =
  (...paths: string[]) =>
  (value: unknown): boolean =>
    paths.some((path) => isThere(at(value, path.split('.'))));

const hasNot = (path: string) => (value: unknown) => !has(path)(value);

const RESULTS = ['context.decisions', 'criteria_results', 'context.open_questions'];

/**
 * For each field, one letter per package type says whether the field is required, wanted, forbidden or optional (SPEC
 * P5). The letters are in the order sequential, delegation, escalation, return, gate, continuation.
 */
export const REQUIRED_FIELDS: readonly Field[] = [
  field('to.agent', 'W R R R R R'),
  field('to.reason', 'R R R R R R'),
  field('context.summary', 'R R R R R R'),
  // A return package should contain a result: an artifact or, instead, a decision, a criterion result or a question.
  field('context.artifacts', '- - - W - R', (value, type) => type === 'return' && has(...RESULTS)(value)),
  // An escalation needs something for the person to answer or decide.
  field('context.open_questions', '- - W - - -', has('context.decisions', 'validation_request.items')),
  field('expectations.deliverable', '- R W X - -', has('validation_request.items')),
  field('expectations.success_criteria', '- R - X - -'),
  field('gate', 'X X X X R X'),
  field('validation_request', 'X X - X R X'),
  field('validation_request.items', '- - - - R -'),
  // If a gate lists no options, the host offers approve, reject and question. If a gate lists options, approve and
  // reject should be among them.
  field('validation_request.options.approve', '- - - - W -', hasNot('validation_request.options')),
  field('validation_request.options.reject', '- - - - W -', hasNot('validation_request.options')),
  field('lineage.returns_for', 'X X X - X X'),
  field('criteria_results', 'X X X - X X'),
  field('reason_code', 'X X X X X R'),
];

export interface FieldProblem {
  readonly path: readonly string[];
  readonly need: 'R' | 'W' | 'X';
}

export function fieldProblems(value: unknown, type: PackageType): readonly FieldProblem[] {
  return REQUIRED_FIELDS.flatMap(({ path, need: needs, orElse }) => {
    const need = needs[type];
    const given = isThere(at(value, path));
    if (need === '-' || (need === 'X' ? !given : given || orElse?.(value, type) === true)) return [];
    return [{ path, need }];
  });
}
