import type { Agent } from '../../domain/agents/agent.ts';
import { parseAddressee } from '../../domain/packages/content/addressee.ts';
import { HUMAN } from '../../domain/packages/content/package.ts';
import { isParty, type PackageCaller, waitsFor } from '../../domain/packages/package-parties.ts';
import type { StoredPackage } from '../../domain/packages/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Ports } from '../ports/index.ts';
import type { PackageFilter, Tx } from '../ports/store.ts';
import { type Asking, callerOf, findPackage, namesOf } from './package-caller.ts';
import { agentCards } from './seal-package.ts';

export interface ListRequest extends Pick<PackageFilter, 'projectId' | 'state' | 'type' | 'text' | 'before' | 'limit'> {
  /** If true, lists only packages that wait for the caller. */
  readonly inbox: boolean;
  readonly inFlight: boolean;
  /** If given, lists only packages from or to this name. */
  readonly agent?: string | undefined;
}

export interface ListedPackages {
  readonly packages: readonly StoredPackage[];
  /** The cursor of the next page. The caller passes it as `before`. Null if there are no older matches. */
  readonly next: string | null;
}

const MOST = 500;

/** Lists packages, newest first. An agent sees only its own packages; a person sees all of them. */
export function listPackages(
  ports: Pick<Ports, 'store'>,
  asking: Asking,
  wanted: ListRequest,
): ListedPackages | Refusal {
  return ports.store.read((tx) => {
    const caller = callerOf(tx, asking);
    if (isRefusal(caller)) return caller;
    const limit = Math.min(wanted.limit ?? MOST, MOST);
    const found: StoredPackage[] = [];
    // Search for one match more than the caller wants. This additional match shows that the list has a next page.
    for (const each of newestFirst(tx, caller, wanted)) {
      if (fits(each, caller, wanted)) found.push(each);
      if (found.length > limit) break;
    }
    const packages = found.slice(0, limit);
    return { packages, next: found.length > limit ? (packages.at(-1)?.record.id ?? null) : null };
  });
}

/** Reads packages page by page, newest first, because the matches may be far back in the history. */
function* newestFirst(tx: Tx, caller: PackageCaller, wanted: ListRequest): Generator<StoredPackage> {
  const { state, type, text } = wanted;
  const filter = {
    projectId: caller.projectId ?? wanted.projectId,
    party: caller.kind === 'agent' ? caller.names : wanted.agent === undefined ? undefined : [wanted.agent],
    inFlight: wanted.inFlight || wanted.inbox,
    ...{ state, type, text },
  };
  let { before } = wanted;
  // At first, read only as many packages as the caller wants, because usually all of them match. If this was not
  // enough, read full pages.
  for (let limit = Math.min(MOST, (wanted.limit ?? MOST) + 1); ; limit = MOST) {
    const piece = tx.packages({ ...filter, before, limit }).toReversed();
    yield* piece;
    if (piece.length < limit) return;
    before = piece.at(-1)?.record.id;
  }
}

/** True if the package also passes the filters that the query of the store could not apply. */
function fits(each: StoredPackage, caller: PackageCaller, { inbox, agent }: ListRequest): boolean {
  const { record } = each;
  const isOwn = caller.kind === 'operator' || record.state !== 'draft' || caller.names.includes(record.from);
  return (
    isOwn && (!inbox || waitsFor(each, caller)) && (agent === undefined || record.from === agent || record.to === agent)
  );
}

export const showPackage = (ports: Pick<Ports, 'store'>, asking: Asking, id: string): StoredPackage | Refusal =>
  ports.store.read((tx) => {
    const found = findPackage(tx, asking, id);
    return isRefusal(found) ? found : found.stored;
  });

export interface Chain {
  readonly root: string;
  readonly packages: readonly StoredPackage[];
  /** The delegations of this chain that wait for their return packages. */
  readonly open: readonly StoredPackage[];
}

/**
 * Returns the chain of a package. A caller that sent or received any package of the chain can see all packages of the
 * chain, except drafts of other authors.
 */
export const showChain = (ports: Pick<Ports, 'store'>, asking: Asking, id: string): Chain | Refusal =>
  ports.store.read((tx) => {
    const found = findPackage(tx, asking, id);
    if (isRefusal(found)) return found;
    const { root } = found.stored.lineage;
    const chain = tx.packages({ root });
    const packages = chain.filter((each) => each.record.state !== 'draft' || isParty(each, found.caller));
    const open = chain.filter(({ record }) => record.type === 'delegation' && record.state === 'accepted');
    return { root, packages, open };
  });

export interface Receiver {
  readonly name: string;
  readonly kind: 'persona' | 'agent' | 'person';
  readonly capabilities: readonly string[];
  readonly live: boolean;
}

/** Lists all receivers to whom the caller can send a package. */
export const listReceivers = (
  ports: Pick<Ports, 'store'>,
  asking: Asking,
): { readonly you: readonly string[]; readonly agents: readonly Receiver[] } | Refusal =>
  ports.store.read((tx) => {
    const caller = callerOf(tx, asking);
    if (isRefusal(caller)) return caller;
    const { projectId, names } = caller;
    const isHere = (agent: Agent): boolean => projectId === null || agent.projectId === projectId;
    const live = new Set(
      tx
        .liveAgents()
        .filter(isHere)
        .flatMap((agent) => namesOf(tx, agent)),
    );
    const agents = agentCards(tx, projectId ?? 0)
      .filter(({ id }) => !names.includes(id))
      .map(({ id, capabilities }) => ({
        name: id,
        kind: parseAddressee(id).kind === 'agent' ? ('agent' as const) : ('persona' as const),
        capabilities,
        live: live.has(id),
      }));
    const person = { name: HUMAN, kind: 'person' as const, capabilities: ['decide'], live: true };
    return { you: names, agents: [...agents, ...(caller.kind === 'operator' ? [] : [person])] };
  });
