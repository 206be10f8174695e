import { itemsToValidate } from './infer-type.ts';
import { listOf, recordOf, textOf } from './lint/view.ts';
import type { PackageType } from './package.ts';

/** R: required. W: wanted, a warning if absent. X: forbidden. -: as the author likes. */
type Need = 'R' | 'W' | 'X' | '-';

interface Field {
  readonly path: readonly string[];
  readonly isThere: (value: unknown) => boolean;
  readonly need: Readonly<Record<PackageType, Need>>;
  /** Another field that will do instead. */
  readonly orElse?: (value: unknown, type: PackageType) => boolean;
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => recordOf(inner)[key], value);

const field = (path: string, needs: string, orElse?: Field['orElse']): Field => {
  const keys = path.split('.');
  const [sequential, delegation, escalation, back, gate, continuation] = needs.split(' ') as Need[];
  return {
    path: keys,
    isThere: (value) => {
      const found = at(value, keys);
      return Array.isArray(found) ? found.length > 0 : found !== undefined && found !== null && found !== '';
    },
    need: {
      sequential: sequential ?? '-',
      delegation: delegation ?? '-',
      escalation: escalation ?? '-',
      return: back ?? '-',
      gate: gate ?? '-',
      continuation: continuation ?? '-',
    },
    ...(orElse === undefined ? {} : { orElse }),
  };
};

/** P5. In the order of PACKAGE_TYPES: sequential, delegation, escalation, return, gate, continuation. */
export const REQUIRED_FIELDS: readonly Field[] = [
  field('to.agent', '- R R R R R'),
  field('context.artifacts', 'W - - W W R'),
  field('context.decisions', 'W - W W - W'),
  field('context.open_questions', '- - R - - W', (value, type) => type === 'escalation' && hasItems(value)),
  field(
    'expectations.deliverable',
    'W R R X R W',
    (value, type) => type === 'gate' && recordOf(value).validation_request !== undefined,
  ),
  field('expectations.constraints', '- W - X - -'),
  field('expectations.success_criteria', 'W R - X - -'),
  field('gate', 'X X X X R X'),
  field('validation_request', 'X X - X R X'),
  field('lineage.returns_for', 'X X X - X X'),
  field('criteria_results', 'X X X W X X'),
  field('reason_code', 'X X X X X R'),
];

const hasItems = (value: unknown): boolean => itemsToValidate(value).some((item) => textOf(item) !== undefined);

export interface FieldProblem {
  readonly path: readonly string[];
  readonly need: 'R' | 'W' | 'X';
}

export function fieldProblems(value: unknown, type: PackageType): readonly FieldProblem[] {
  return REQUIRED_FIELDS.flatMap((each) => {
    const need = each.need[type];
    const isThere = each.isThere(value);
    if (need === '-' || (need === 'X' ? !isThere : isThere || each.orElse?.(value, type) === true)) return [];
    return [{ path: each.path, need }];
  });
}

/** A list that is there and empty says "none", which is more than saying nothing. */
export const saysNone = (value: unknown, path: readonly string[]): boolean => {
  const found = at(value, path);
  return Array.isArray(found) && listOf(found).length === 0;
};
