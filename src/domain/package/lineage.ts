import { isPerson, type PackageInput, type PackageType } from './package.ts';
import type { PackageLineage, StoredPackage } from './stored-package.ts';

/** P24. A package that follows another has one hop more; a continuation stays with the agent that has the work. */
export function lineageOf(id: string, content: PackageInput, parent: StoredPackage | undefined): PackageLineage {
  const step = content.type === 'continuation' ? 0 : 1;
  return {
    parent: parent?.record.id ?? null,
    root: parent?.lineage.root ?? id,
    hop: parent === undefined ? 0 : parent.lineage.hop + step,
    supersedes: content.lineage?.supersedes ?? null,
    returnsFor: content.lineage?.returns_for ?? null,
  };
}

/** P24. The package that an author names as the one before. Baton guesses none. */
export const namedParent = ({ lineage }: PackageInput): string | undefined =>
  lineage?.returns_for ?? lineage?.parent ?? lineage?.supersedes;

const MOST_HOPS = 20;
const MOST_OF_A_PAIR = 60;

/**
 * P24. Why a package may not be passed on; null: it may. A return, and a package to a person, always may: both end a loop.
 *
 * @param recent packages of this sender to this receiver in the last ten minutes
 */
export function chainLimit(
  { kind, from, to }: { readonly kind: PackageType; readonly from: string; readonly to: string },
  parent: StoredPackage | undefined,
  recent: number,
): string | null {
  if (kind === 'return' || isPerson(to) || isPerson(from)) return null;
  const hop = (parent?.lineage.hop ?? -1) + 1;
  if (hop > MOST_HOPS) return `The chain has ${hop} hops already, and ${MOST_HOPS} are allowed.`;
  return recent >= MOST_OF_A_PAIR
    ? `${from} has sent ${recent} packages to ${to} within ten minutes, and ${MOST_OF_A_PAIR} are allowed.`
    : null;
}

interface Inherited {
  readonly id: string;
  readonly text: string;
  readonly from: string;
}

/**
 * P34. The content with everything that holds for it because of the package before: constraints and decisions that have an
 * id, and the conditions of an approval. Constraints are added to the expectations; without expectations they are added as
 * decisions. An id that the author restates or supersedes is left to the author.
 */
export function withInherited(
  content: PackageInput,
  type: PackageType,
  parent: StoredPackage | undefined,
): PackageInput {
  if (parent === undefined || type === 'return' || type === 'continuation' || isPerson(content.to.agent))
    return content;
  const { context, expectations } = content;
  const known = new Set(idsIn(content));
  const isMissing = ({ id }: { readonly id: string }): boolean => !known.has(id);
  const constraints = [...constraintsOf(parent), ...conditionsOf(parent)].filter(isMissing);
  const asDecisions = expectations === undefined ? constraints : [];
  const decisions = [
    ...(parent.content.context.decisions ?? []).filter(
      (each) => each.id !== 'pending' && each.status !== 'pending' && isMissing(each),
    ),
    ...asDecisions.map(({ id, text, from }) => ({ id, decision: text, rationale: `It holds since ${from}.` })),
  ];
  return {
    ...content,
    ...(decisions.length === 0
      ? {}
      : { context: { ...context, decisions: [...(context.decisions ?? []), ...decisions] } }),
    ...(expectations === undefined || constraints.length === 0
      ? {}
      : {
          expectations: {
            ...expectations,
            constraints: [
              ...(expectations.constraints ?? []),
              ...constraints.map(({ id, text, from }) => ({ id, text, inherited_from: from })),
            ],
          },
        }),
  };
}

const constraintsOf = ({ content, record }: StoredPackage): readonly Inherited[] =>
  (content.expectations?.constraints ?? []).flatMap((each) =>
    typeof each === 'string' ? [] : [{ id: each.id, text: each.text, from: each.inherited_from ?? record.id }],
  );

/** Conditions under which a person approved the package. */
const conditionsOf = ({ record: { id, outcome, decision } }: StoredPackage): readonly Inherited[] =>
  outcome !== 'approved' || decision === null
    ? []
    : decision.conditions.map((text, index) => ({ id: `K-${id}-${index + 1}`, text, from: id }));

const idsIn = ({ expectations, context }: PackageInput): readonly string[] => [
  ...(expectations?.constraints ?? []).flatMap((each) => (typeof each === 'string' ? [] : [each.id])),
  ...(context.decisions ?? []).flatMap(({ id, supersedes = '' }) => [id, supersedes]),
];
