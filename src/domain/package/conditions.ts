import type { PackageInput } from './package.ts';
import { HUMAN } from './package.ts';
import type { StoredPackage } from './stored-package.ts';

/** P34. Under which a person has approved: each with the id by which whoever comes next covers, restates or supersedes it. */
export interface Condition {
  readonly id: string;
  readonly text: string;
  readonly inherited_from: string;
}

const DEAD: readonly string[] = ['draft', 'rejected', 'failed', 'expired', 'cancelled', 'superseded'];

/**
 * P34. What holds for this package: the conditions of all approvals that its sender got in its chain. Of one before the chain began,
 * the next package of this sender has them, and only that.
 *
 * @param own the packages of the chain; without one, the latest of this sender in this project that are about conditions
 */
export function conditionsFor(
  content: PackageInput,
  parent: StoredPackage | undefined,
  own: readonly StoredPackage[],
): readonly Condition[] {
  if (content.to.agent === HUMAN) return [];
  const carried = parent === undefined ? new Set(own.flatMap(carriedBy)) : new Set<string>();
  const isBefore = ({ record, lineage }: StoredPackage): boolean =>
    parent === undefined ? lineage.parent === null && !carried.has(record.id) : lineage.root === parent.lineage.root;
  return own.filter((each) => each.record.from === content.from.agent && isBefore(each)).flatMap(conditionsOf);
}

function conditionsOf({ record }: StoredPackage): readonly Condition[] {
  const { id, to, state, decision } = record;
  const isApproved = decision?.option === 'approve' && (state === 'accepted' || state === 'completed');
  if (to !== HUMAN || !isApproved) return [];
  return decision.conditions.map((text, index) => ({ id: `K-${id}-${index + 1}`, text, inherited_from: id }));
}

/** The packages whose conditions it carries. What was not taken, or is not sent, has carried nothing on. */
const carriedBy = ({ record, content }: StoredPackage): readonly string[] =>
  DEAD.includes(record.state) ? [] : idsIn(content).flatMap((id) => CONDITION_ID.exec(id)?.[1] ?? []);

const CONDITION_ID = /^K-(.+)-/;

/** What `conditionsFor` needs of a package outside of a chain: it has conditions, or carries some on. */
export const isAboutConditions = (stored: StoredPackage): boolean =>
  (stored.lineage.parent === null && conditionsOf(stored).length > 0) || carriedBy(stored).length > 0;

const idsIn = ({ expectations, context }: PackageInput): readonly string[] => [
  ...(expectations?.constraints ?? []).flatMap((each) => (typeof each === 'string' ? [] : [each.id])),
  ...(context.decisions ?? []).flatMap(({ id, supersedes = '' }) => [id, supersedes]),
];

/**
 * P34. As constraints; where a package has none (a return, or one without expectations), as decisions that were taken. What its author
 * has restated by id, or in the same words, stands once.
 */
export function withConditions(content: PackageInput, isReturn: boolean, all: readonly Condition[]): PackageInput {
  const known = idsIn(content);
  const missing = all.filter(({ id }) => !known.includes(id));
  if (missing.length === 0) return content;
  const { expectations, context } = content;
  if (isReturn || expectations === undefined)
    return {
      ...content,
      context: { ...context, decisions: [...(context.decisions ?? []), ...missing.map(asDecision)] },
    };
  const said = (expectations.constraints ?? []).filter((each) => !missing.some(({ text }) => text === each));
  return { ...content, expectations: { ...expectations, constraints: [...said, ...missing] } };
}

const asDecision = ({ id, text, inherited_from }: Condition) => ({
  id,
  decision: text,
  rationale: `A condition under which a person approved ${inherited_from}`,
});

/** P34. What a revision has got from the host stays in the next, however that is written. */
export function keepConditions(before: PackageInput, after: PackageInput): PackageInput {
  const known = idsIn(after);
  const isKept = ({ id }: { readonly id: string }): boolean => /^K-HO-/.test(id) && !known.includes(id);
  const constraints = (before.expectations?.constraints ?? []).filter(
    (each) => typeof each !== 'string' && isKept(each),
  );
  const decisions = (before.context.decisions ?? []).filter(isKept);
  return {
    ...after,
    ...(constraints.length === 0 || after.expectations === undefined
      ? {}
      : {
          expectations: {
            ...after.expectations,
            constraints: [...(after.expectations.constraints ?? []), ...constraints],
          },
        }),
    ...(decisions.length === 0
      ? {}
      : { context: { ...after.context, decisions: [...(after.context.decisions ?? []), ...decisions] } }),
  };
}
