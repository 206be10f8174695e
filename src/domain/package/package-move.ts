import type { Refusal } from '../refusals.ts';
import type { PackageTimer } from './limits.ts';
import type { PackageFact, PackageFactOf, PackageWish, PackageWorld } from './package-facts.ts';
import type { PackageRecord, PackageState, Party } from './record.ts';

/** A row's answer: another state, another owner, something to remember. Owner and epoch move together in `apply` alone. */
export interface PackageMove {
  readonly to?: PackageState;
  readonly owner?: Party;
  readonly patch?: Partial<Omit<PackageRecord, 'state' | 'owner' | 'epoch' | 'waiter' | 'deadlineAt'>>;
  readonly wishes?: readonly PackageWish[];
  /** Its time counts anew. */
  readonly rearm?: boolean;
}

export interface StateRow {
  /** Who must do something now. */
  readonly waiter: (record: PackageRecord) => Party;
  readonly timer: PackageTimer;
  readonly on: {
    readonly [T in PackageFact['type']]?: (
      record: PackageRecord,
      fact: PackageFactOf<T>,
      world: PackageWorld,
    ) => PackageMove | Refusal;
  };
  /** The time is up. Without it: the waiter is reminded, then a person is. */
  readonly tooLate?: (record: PackageRecord) => PackageMove | undefined;
}
