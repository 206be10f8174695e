import { chainLog } from '../../domain/package/package-chain.ts';
import { isParty, waitsFor } from '../../domain/package/package-parties.ts';
import { isTerminal } from '../../domain/package/record.ts';
import type { Frame } from '../../domain/package/return-stack.ts';
import { openFrames } from '../../domain/package/return-stack.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Ports } from '../world.ts';
import { type Asking, callerOf, findPackage } from './package-caller.ts';

export interface ListWanted {
  /** Only what waits for whoever asks. */
  readonly inbox: boolean;
  readonly inFlight: boolean;
  readonly projectId?: number | undefined;
}

const MOST = 500;

/** An agent sees its own; a person sees all. Newest first. */
export function listPackages(ports: Ports, asking: Asking, wanted: ListWanted): readonly StoredPackage[] | Refusal {
  return ports.store.read((tx) => {
    const caller = callerOf(tx, asking);
    if (isRefusal(caller)) return caller;
    const { projectId, inbox } = wanted;
    const party = caller.kind === 'agent' ? caller.names : undefined;
    const inFlight = wanted.inFlight || inbox;
    const found = tx.packages({ projectId: caller.projectId ?? projectId, party, inFlight, limit: MOST });
    const isOwnDraft = (each: StoredPackage) =>
      each.record.state !== 'draft' || caller.names.includes(each.record.from);
    const shown = caller.kind === 'operator' ? found : found.filter(isOwnDraft);
    return (inbox ? shown.filter((each) => waitsFor(each, caller)) : shown).toReversed();
  });
}

export const showPackage = (ports: Ports, asking: Asking, id: string): StoredPackage | Refusal =>
  ports.store.read((tx) => {
    const found = findPackage(tx, asking, id);
    return isRefusal(found) ? found : found.stored;
  });

export interface Chain {
  readonly root: string;
  readonly packages: readonly StoredPackage[];
  readonly frames: readonly Frame[];
}

/** The chain in which a package stands; whoever is party to one of them sees it. */
export const showChain = (ports: Ports, asking: Asking, id: string): Chain | Refusal =>
  ports.store.read((tx) => {
    const found = findPackage(tx, asking, id);
    if (isRefusal(found)) return found;
    const { root } = found.stored.lineage;
    const chain = tx.packages({ root });
    const packages = chain.filter((each) => !isDraftOfOthers(each) || isParty(each, found.caller));
    return { root, packages, frames: openFrames(chainLog(chain)) };
  });

const isDraftOfOthers = ({ record }: StoredPackage): boolean => record.state === 'draft' && !isTerminal(record);
