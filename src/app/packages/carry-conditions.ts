import { conditionsFor, withConditions } from '../../domain/package/conditions.ts';
import type { PackageInput } from '../../domain/package/package.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import type { Tx } from '../ports/store.ts';

/** An approval without a chain is for the next package: whatever came behind it is among these as well. */
const LOOKED_BACK = 200;

interface Carrying {
  readonly content: PackageInput;
  readonly isReturn: boolean;
  /** What it follows, its gates passed. */
  readonly parent: StoredPackage | undefined;
  readonly projectId: number;
}

/** P34. Behind the lint: a person's words are as they are, and keep no author from sealing. */
export function carryConditions(tx: Tx, { content, isReturn, parent, projectId }: Carrying): PackageInput {
  const own =
    parent === undefined
      ? tx.packagesMarked('conditions', { projectId, name: content.from.agent }, LOOKED_BACK, 'newest')
      : tx.packages({ root: parent.lineage.root });
  return withConditions(content, isReturn, conditionsFor(content, parent, own));
}
