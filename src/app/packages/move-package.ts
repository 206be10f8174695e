import { overRefusal } from '../../domain/package/advance-package.ts';
import { refuseWrite } from '../../domain/package/ownership.ts';
import { type CriterionResult, namedCriteria } from '../../domain/package/package.ts';
import type { Actor, PackageFact } from '../../domain/package/package-facts.ts';
import { isParty } from '../../domain/package/package-parties.ts';
import { isTerminal } from '../../domain/package/record.ts';
import { sealNow } from '../../domain/package/seal-package.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Tx } from '../ports/store.ts';
import type { Ports } from '../world.ts';
import { refuseText } from './judge-authored.ts';
import { type Asking, actorOf, type Found, findPackage } from './package-caller.ts';
import { approvalGone } from './pass-gates.ts';
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
    fact: {
      type: 'cancelled',
      by: asking.kind === 'operator' ? 'operator' : by,
      epoch,
      ...(note === undefined ? {} : { reason: note }),
    },
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
  const after = await move(ports, asking, id, { note, results }, (tx, stored, by) => {
    const { gate, seal } = stored.record;
    if (gate !== null && seal !== null) {
      const passed = { type: 'gate_passed', seal: sealNow(seal, seen.artifacts) } as const;
      return refuseLate(stored, { by, epoch }) ?? { fact: passed, said: note };
    }
    const odd = refuseResults(stored, results);
    if (odd !== undefined) return odd;
    const all = resultsOf(tx, stored, results);
    const returned = returnOf(tx, stored) !== undefined;
    return { fact: { type: 'completed', by, epoch, results: all, returned }, said: note, changes: { results: all } };
  });
  // P21. That the gate is open again is kept; whoever wanted to pass it has not.
  return !isRefusal(after) && after.record.state === 'awaiting_human' ? approvalGone(id) : after;
}

/** A result of something else, or a second one, would stand in the record as if it said something about the work. */
function refuseResults({ record, content }: StoredPackage, results: readonly CriterionResult[]): Refusal | undefined {
  const known = namedCriteria(content).map(({ id }) => id);
  const odd = results.find(
    ({ id }, index) => !known.includes(id) || results.findIndex((each) => each.id === id) < index,
  );
  if (odd === undefined) return undefined;
  const what = known.includes(odd.id) ? `${odd.id} has two results` : `${record.id} has no criterion ${odd.id}`;
  const all =
    known.length === 0 ? 'It has no criteria.' : `Say pass or fail of each of these once: ${known.join(', ')}`;
  return { code: 'bad_request', sentence: `Nothing was completed: ${what}.`, hint: all };
}

/** P15. A gate is passed by its owner, under his epoch; a person answers for it anyway. */
const refuseLate = ({ record }: StoredPackage, write: { readonly by: Actor; readonly epoch: number }) =>
  write.by === 'operator' ? undefined : refuseWrite(record, write);

/** What is said now, and what the return has said already. */
function resultsOf(tx: Tx, stored: StoredPackage, given: readonly CriterionResult[]): readonly CriterionResult[] {
  const earlier = returnOf(tx, stored)?.revisions.at(-1)?.criteria_results ?? [];
  return [...given, ...earlier.filter(({ id }) => !given.some((each) => each.id === id))];
}

/** Who is party to it, and came too early or too late, is told so. */
function notYours(tx: Tx, found: Found): Refusal | undefined {
  const { record } = found.stored;
  const isReceiver = !isRefusal(actorOf(tx, found, ['receiver']));
  if (isTerminal(record)) return isParty(found.stored, found.caller) ? overRefusal(record) : undefined;
  if (!isReceiver || record.owner === 'receiver') return undefined;
  return {
    code: 'package_not_possible',
    sentence: `${record.id} is not yours yet: you own it once you have acknowledged it in full.`,
    hint:
      record.state === 'pending' || record.state === 'delivered'
        ? `Read it (baton package receive ${record.id}): that ends with how it is taken.`
        : 'You are told when your questions are answered.',
  };
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
    if (isRefusal(actor)) return notYours(tx, found) ?? actor;
    const moved = wanted(tx, found.stored, actor.actor);
    if (isRefusal(moved)) return moved;
    const { fact, ...more } = moved;
    return recordPackageFact(tx, ports, found.stored, fact, { agentId: found.caller.agentId, ...more });
  });
}
