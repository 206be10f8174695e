import { refuseWrite } from '../../domain/package/ownership.ts';
import type { CriterionResult } from '../../domain/package/package.ts';
import type { Actor, PackageFact } from '../../domain/package/package-facts.ts';
import { sealNow } from '../../domain/package/seal-package.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Tx } from '../ports/store.ts';
import type { Ports } from '../world.ts';
import { refuseText } from './judge-authored.ts';
import { type Asking, actorOf, findPackage } from './package-caller.ts';
import { lookAtArtifacts } from './receive-package.ts';
import { recordPackageFact, type WithFact } from './record-package-fact.ts';
import { returnOf } from './return-of.ts';

/** What an owner does: he names the epoch under which he came to own the package. */
export interface Owned {
  readonly epoch: number;
  readonly note?: string | undefined;
}

export const progressPackage = (ports: Ports, asking: Asking, id: string, { epoch, note }: Owned) =>
  move(ports, asking, id, { note }, (_tx, _stored, by) => ({ fact: { type: 'progressed', by, epoch }, said: note }));

export const failPackage = (ports: Ports, asking: Asking, id: string, { epoch, cause }: Owned & { cause: string }) =>
  move(ports, asking, id, { cause }, (_tx, _stored, by) => ({ fact: { type: 'failed', by, epoch, cause } }));

/** A person may cancel whatever is not over; anyone else only what he owns. */
export const cancelPackage = (ports: Ports, asking: Asking, id: string, { epoch, note }: Owned) =>
  move(ports, asking, id, { note }, (_tx, _stored, by) => ({
    fact: { type: 'cancelled', by: asking.kind === 'operator' ? 'operator' : by, epoch },
    said: note,
  }));

export interface Completion extends Owned {
  readonly results: readonly CriterionResult[];
}

/** The work is done; of a gate: the next step begins, with what was approved. */
export async function completePackage(
  ports: Ports,
  asking: Asking,
  id: string,
  { epoch, note, results }: Completion,
): Promise<StoredPackage | Refusal> {
  const seen = await lookAtArtifacts(ports, asking, id);
  if (isRefusal(seen)) return seen;
  return move(ports, asking, id, { note, results }, (tx, stored, by) => {
    const { gate, seal } = stored.record;
    if (gate !== null && seal !== null) {
      const passed = { type: 'gate_passed', seal: sealNow(seal, seen.artifacts) } as const;
      return refuseLate(stored, { by, epoch }) ?? { fact: passed, said: note };
    }
    const all = resultsOf(tx, stored, results);
    const returned = returnOf(tx, stored) !== undefined;
    return { fact: { type: 'completed', by, epoch, results: all, returned }, said: note, changes: { results: all } };
  });
}

/** P15. A gate is passed by its owner, under his epoch; a person answers for it anyway. */
const refuseLate = ({ record }: StoredPackage, write: { readonly by: Actor; readonly epoch: number }) =>
  write.by === 'operator' ? undefined : refuseWrite(record, write);

/** What is said now, and what the return has said already. */
function resultsOf(tx: Tx, stored: StoredPackage, given: readonly CriterionResult[]): readonly CriterionResult[] {
  const earlier = returnOf(tx, stored)?.revisions.at(-1)?.criteria_results ?? [];
  return [...given, ...earlier.filter(({ id }) => !given.some((each) => each.id === id))];
}

type Moved = WithFact & { readonly fact: PackageFact };

function move(
  ports: Ports,
  asking: Asking,
  id: string,
  words: Readonly<Record<string, unknown>>,
  wanted: (tx: Tx, stored: StoredPackage, by: Actor) => Moved | Refusal,
): Promise<StoredPackage | Refusal> {
  return ports.store.write((tx) => {
    const unfit = refuseText(ports, words);
    if (unfit !== undefined) return unfit;
    const found = findPackage(tx, asking, id);
    if (isRefusal(found)) return found;
    // Who of the two owns it now is the one who may.
    const own = found.stored.record.owner === 'receiver' ? (['receiver'] as const) : (['sender'] as const);
    const actor = actorOf(tx, found, own);
    if (isRefusal(actor)) return actor;
    const moved = wanted(tx, found.stored, actor.actor);
    if (isRefusal(moved)) return moved;
    const { fact, ...more } = moved;
    return recordPackageFact(tx, ports, found.stored, fact, { agentId: found.caller.agentId, ...more });
  });
}
