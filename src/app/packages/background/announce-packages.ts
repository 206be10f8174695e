import { type Agent, isLive } from '../../../domain/agents/agent.ts';
import { type Instant, msBetween } from '../../../domain/instant.ts';
import { announcementOf, announcementRef, refusedCause } from '../../../domain/packages/announcement.ts';
import { endCause } from '../../../domain/packages/package-end.ts';
import type { StoredPackage } from '../../../domain/packages/stored-package.ts';
import { enqueueEffects } from '../../engine/record-facts.ts';
import type { Ports } from '../../ports/index.ts';
import type { Tx } from '../../ports/store.ts';
import { notePackage } from '../record-package-fact.ts';
import { isAddressee, isAdopted, withNames } from './addressees.ts';

/** All of one announcement are noted in one transaction, which has to end soon. The rest is told when the agent rests again. */
const MAX_AT_ONCE = 1_000;

/** Tells agents at rest of all packages that wait for them, in one prompt each, and never while a handoff has the agent. */
export async function announcePackages(ports: Ports): Promise<void> {
  const now = ports.clock.now();
  if (ports.store.read((tx) => toTell(tx, now).length === 0)) return;
  await ports.store.write((tx) => {
    for (const { agent, packages } of toTell(tx, now)) announce(tx, ports, agent, packages);
  });
}

/** The prompt is wished for in the transaction that notes it of each package: no crash leaves one without the other. */
function announce(tx: Tx, ports: Ports, { id: agentId }: Agent, packages: readonly StoredPackage[]): void {
  const told = packages.flatMap((stored) => {
    const cause = announcementOf(stored)?.cause;
    return cause === undefined ? [] : [{ stored, cause, id: stored.record.id }];
  });
  const [first, ...others] = told;
  if (first === undefined) return;
  for (const { stored, cause } of told)
    notePackage(tx, ports, stored, {
      note: 'announced',
      agentId,
      record: stored.record,
      changes: { announced: cause },
    });
  // No package is announced twice for one cause, so no two announcements have the same first one.
  const ref = announcementRef(first.id, agentId, first.cause);
  const more = others.length === 0 ? {} : { others: others.map(({ id }) => id) };
  enqueueEffects(tx, ports, [{ kind: 'announce_package', agentId, packageId: first.id, ...more, ref }]);
}

interface Batch {
  readonly agent: Agent;
  readonly packages: readonly StoredPackage[];
}

function toTell(tx: Tx, now: Instant): readonly Batch[] {
  const keys = tx.packageKeys('tell');
  if (keys.length === 0) return [];
  const busy = new Set(tx.pendingEffects().map(({ effect }) => effect.agentId));
  const free = withNames(
    tx,
    tx.liveAgents().filter((agent) => isFree(tx, agent) && !busy.has(agent.id)),
  );
  const batches = new Map<Agent, StoredPackage[]>();
  for (const key of keys) {
    const agent = free.find((each) => isAddressee(key, each))?.agent;
    if (agent === undefined) continue;
    const packages = tx.packagesMarked('tell', key, MAX_AT_ONCE).filter((stored) => !isRefusedJustNow(stored, now));
    batches.set(agent, [...(batches.get(agent) ?? []), ...packages]);
  }
  return [...batches]
    .filter(([, packages]) => packages.length > 0)
    .map(([agent, packages]) => ({ agent, packages: packages.sort(byAge).slice(0, MAX_AT_ONCE) }));
}

const byAge = ({ createdAt: one }: StoredPackage, { createdAt: other }: StoredPackage): number =>
  one === other ? 0 : one < other ? -1 : 1;

/** Who typed into the agent's composer meanwhile has sent it by then. */
const AGAIN_MS = 2 * 60_000;

const isRefusedJustNow = ({ record, announced, updatedAt }: StoredPackage, now: Instant): boolean =>
  announced === refusedCause(endCause(record)) && msBetween(updatedAt, now) <= AGAIN_MS;

export function isFree(tx: Tx, agent: Agent): boolean {
  // Asked first, because it costs nothing.
  if (isAdopted(agent) || agent.state !== 'idle') return false;
  const inRun = tx.runsInFlight().some((run) => run.agentId === agent.id || run.successorAgentId === agent.id);
  return isLive(agent) && agent.pane !== null && agent.priming.status !== 'typing' && !inRun;
}
