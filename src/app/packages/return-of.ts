import type { PackageInput } from '../../domain/package/package.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { Tx } from '../ports/store.ts';

/** A return in one of these has brought nothing back. */
const IN_VAIN: readonly string[] = ['rejected', 'failed', 'expired', 'cancelled', 'superseded'];

/** Whether a return was sealed is for the store to say, not for the caller. */
export const returnOf = (tx: Tx, { record, lineage }: StoredPackage): StoredPackage | undefined =>
  tx
    .packages({ root: lineage.root })
    .findLast(
      (each) =>
        each.lineage.returnsFor === record.id &&
        each.record.from === record.to &&
        each.record.revision > 0 &&
        !IN_VAIN.includes(each.record.state),
    );

/** P23. One delegation comes back once: of two results nobody knows which one holds. */
export function refuseSecondReturn(tx: Tx, { lineage }: PackageInput): Refusal | undefined {
  const delegation = lineage?.returns_for === undefined ? undefined : tx.packageById(lineage.returns_for);
  const before = delegation && returnOf(tx, delegation);
  if (delegation === undefined || before === undefined || before.record.id === lineage?.supersedes) return undefined;
  const { id } = delegation.record;
  return {
    code: 'package_not_possible',
    sentence: `${id} was returned already, by ${before.record.id}.`,
    hint: `Complete it: baton package complete ${id}. To return something else, name lineage.supersedes: ${before.record.id}`,
  };
}
