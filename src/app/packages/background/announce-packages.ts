import { type Agent, isLive } from '../../../domain/agents/agent.ts';
import { agentLabel } from '../../../domain/agents/apply-fact.ts';
import { type Instant, isWithin } from '../../../domain/instant.ts';
import { announcementOf, announcementRef } from '../../../domain/packages/announcement.ts';
import { attemptFor, endCause } from '../../../domain/packages/package-end.ts';
import type { StoredPackage } from '../../../domain/packages/stored-package.ts';
import { enqueueEffects } from '../../engine/record-facts.ts';
import { runInFlightOf } from '../../handoffs/run-in-flight.ts';
import type { Ports } from '../../ports/index.ts';
import type { Tx } from '../../ports/store.ts';
import { notePackage } from '../record-package-fact.ts';
import { isAddressee, isAdopted, withNames } from './addressees.ts';

/** Maximum number of packages in one announcement. The other packages are announced when the agent is idle again. */
const MAX_AT_ONCE = 1_000;

/**
 * Announces all packages that wait for an idle agent, in one prompt per agent. Agents in a handoff get no announcement.
 */
export async function announcePackages(ports: Pick<Ports, 'store' | 'secrets' | 'clock'>): Promise<void> {
  const now = ports.clock.now();
  if (ports.store.read((tx) => toTell(tx, now).length === 0)) return;
  await ports.store.write((tx) => {
    for (const { agent, packages } of toTell(tx, now)) announce(tx, ports, agent, packages);
  });
}

/**
 * Records the announcement in the same transaction as its prompt, so that after a crash either both or neither exist.
 */
function announce(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock'>,
  agent: Agent,
  packages: readonly StoredPackage[],
): void {
  const told = packages.flatMap((stored) => {
    const { cause, to } = announcementOf(stored) ?? {};
    return cause === undefined || to === undefined ? [] : [{ stored, cause, name: to, id: stored.record.id }];
  });
  const agentId = agent.id;
  const label = agentLabel(agent, agent.personaId === null ? null : (tx.personaById(agent.personaId)?.name ?? null));
  const [first, ...others] = told;
  if (first === undefined) return;
  for (const { stored, cause, name } of told)
    notePackage(tx, ports, stored, {
      note: 'announced',
      agentId,
      record: stored.record,
      changes: { announced: cause, told: { agentId, label, name, at: ports.clock.now() } },
    });
  // The reference of the announcement contains the first package, the agent and the cause. The reference is unique,
  // because Baton announces a package only once for each cause.
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

/**
 * Baton waits this long before it repeats a refused announcement that a package has ended. By then, the operator has
 * usually sent the text that blocked the composer.
 */
const AGAIN_MS = 2 * 60_000;

const isRefusedJustNow = ({ record, announced, updatedAt }: StoredPackage, now: Instant): boolean =>
  attemptFor(endCause(record), announced) === 'refused' && isWithin(AGAIN_MS, updatedAt, now);

export function isFree(tx: Tx, agent: Agent): boolean {
  // Check the agent's state before the agent's runs, because only the runs need a database query.
  if (isAdopted(agent) || agent.state !== 'idle') return false;
  const inRun = runInFlightOf(tx, agent.id) !== undefined;
  return isLive(agent) && agent.pane !== null && agent.priming.status !== 'typing' && !inRun;
}
