import type { PackageLineage, StoredPackage } from '../stored-package.ts';
import { isPerson, type PackageInput, type PackageType } from './package.ts';

/**
 * Returns the position of a package in its chain (SPEC P24). Each package counts one hop more than the package before
 * it, so that a loop between agents is noticed. A continuation adds no hop, because its sender and receiver have the
 * same persona.
 */
export function lineageOf(
  id: string,
  content: PackageInput,
  parent: StoredPackage | undefined,
  before: StoredPackage | undefined = parent,
): PackageLineage {
  const step = content.type === 'continuation' ? 0 : 1;
  return {
    parent: parent?.record.id ?? null,
    root: parent?.lineage.root ?? id,
    hop: before === undefined ? 0 : before.lineage.hop + step,
    supersedes: content.lineage?.supersedes ?? null,
    returnsFor: content.lineage?.returns_for ?? null,
  };
}

/**
 * Returns the id of the earlier package that the author names as the origin of this package (SPEC P24). Returns
 * undefined if the author names none, because Baton does not guess the origin.
 */
export const namedParent = ({ lineage }: PackageInput): string | undefined =>
  lineage?.returns_for ?? lineage?.parent ?? lineage?.supersedes;

const MAX_HOPS = 20;

/**
 * Returns the reason why an agent must not send another package in this chain (SPEC P24). Returns null if the package
 * is allowed. A return package is always allowed, and so is a package from or to a person, because such a package can
 * end a loop between agents.
 */
export function chainLimit(
  { kind, from, to }: { readonly kind: PackageType; readonly from: string; readonly to: string },
  before: StoredPackage | undefined,
): string | null {
  if (kind === 'return' || isPerson(to) || isPerson(from)) return null;
  const hop = (before?.lineage.hop ?? -1) + 1;
  return hop > MAX_HOPS
    ? `The package would be hop ${hop} of its chain of packages, but at most ${MAX_HOPS} hops are allowed.`
    : null;
}

interface Inherited {
  readonly id: string;
  readonly text: string;
  readonly from: string;
}

/**
 * Adds what the package inherits from the previous package: constraints that have an id, decisions that are already
 * made, and the conditions of an approval (SPEC P34). Inherited constraints and conditions are added to the package's
 * expectations or, if the package has no expectations, to its decisions. An entry is not inherited if the author
 * restates or supersedes its id.
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
    ...asDecisions.map(({ id, text, from }) => ({ id, decision: text, rationale: `In force since ${from}.` })),
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

/** Returns the conditions under which a person approved the package. */
const conditionsOf = ({ record: { id, outcome, decision } }: StoredPackage): readonly Inherited[] =>
  outcome !== 'approved' || decision === null
    ? []
    : decision.conditions.map((text, index) => ({ id: `K-${id}-${index + 1}`, text, from: id }));

const idsIn = ({ expectations, context }: PackageInput): readonly string[] => [
  ...(expectations?.constraints ?? []).flatMap((each) => (typeof each === 'string' ? [] : [each.id])),
  ...(context.decisions ?? []).flatMap(({ id, supersedes = '' }) => [id, supersedes]),
];
