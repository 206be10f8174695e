import type { PackageInput } from '../../domain/package/package.ts';
import { parentOf } from '../../domain/package/package-chain.ts';
import { isParty, type PackageCaller } from '../../domain/package/package-parties.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { Tx } from '../ports/store.ts';
import { packageNotFound } from './package-caller.ts';

/** The package that a new one follows: what its author names has to be his to see. */
export function followed(
  tx: Tx,
  caller: PackageCaller,
  projectId: number,
  content: PackageInput,
): StoredPackage | undefined | Refusal {
  const { names } = caller;
  const named = namedIn(content);
  if (named === undefined) return parentOf(content, workInHand(tx, projectId, content.from.agent));
  const stored = tx.packageById(named);
  const isOwn =
    stored?.projectId === projectId &&
    isParty(stored, caller) &&
    [stored.record.from, stored.record.to].some((each) => names.includes(each));
  return (isOwn ? parentOf(content, [stored]) : undefined) ?? packageNotFound(named);
}

/** What this name has accepted and is still at. */
export const workInHand = (tx: Tx, projectId: number, name: string): readonly StoredPackage[] =>
  tx.packagesMarked('work', { projectId, name }, MOST_IN_HAND, 'newest');

const MOST_IN_HAND = 200;

/** A draft that is written anew follows what it names now, or what it did. Itself it cannot follow. */
export function followedAnew(
  tx: Tx,
  caller: PackageCaller,
  { record, projectId, lineage }: StoredPackage,
  content: PackageInput,
): StoredPackage | undefined | Refusal {
  const named = namedIn(content);
  if (named === record.id) return packageNotFound(named);
  if (named !== undefined) return followed(tx, caller, projectId, content);
  return lineage.parent === null ? undefined : tx.packageById(lineage.parent);
}

const namedIn = ({ lineage }: PackageInput): string | undefined =>
  lineage?.returns_for ?? lineage?.parent ?? lineage?.supersedes;
