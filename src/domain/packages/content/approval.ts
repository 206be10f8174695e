import type { StoredPackage } from '../stored-package.ts';
import type { PackageInput } from './package.ts';

/**
 * P41. The constraint that `baton package new --approval` and the form of the page write. Baton recognizes exactly this
 * text and refuses to complete the package before a person's approval.
 */
export const APPROVAL = 'Send a blocking gate to human, and complete this package only after its approval.';

/** True if the author of the package asks for a person's approval. An inherited constraint binds only its own package. */
export const asksForApproval = ({ expectations }: PackageInput): boolean =>
  (expectations?.constraints ?? []).some((each) =>
    typeof each === 'string' ? each === APPROVAL : each.text === APPROVAL && each.inherited_from === undefined,
  );

/**
 * P41. Returns the newest blocking gate about this package that an agent with one of these names sent: a later gate in
 * the chain of the package, or a later gate that follows no package. Returns undefined if there is none.
 */
export function latestGateAbout(
  about: StoredPackage,
  sent: readonly StoredPackage[],
  names: readonly string[],
): StoredPackage | undefined {
  const gates = sent.filter(
    ({ record, lineage, createdAt }) =>
      record.gate?.kind === 'blocking' &&
      names.includes(record.from) &&
      createdAt >= about.createdAt &&
      (lineage.root === about.lineage.root || lineage.parent === null),
  );
  const isNewer = (one: StoredPackage, other: StoredPackage): boolean =>
    one.createdAt === other.createdAt ? one.uid > other.uid : one.createdAt > other.createdAt;
  return gates.reduce<StoredPackage | undefined>(
    (newest, each) => (newest === undefined || isNewer(each, newest) ? each : newest),
    undefined,
  );
}
