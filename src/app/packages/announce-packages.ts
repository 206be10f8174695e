import { type Agent, isLive } from '../../domain/agent/agent.ts';
import { type Instant, msBetween } from '../../domain/instant.ts';
import { announcementOf, announcementRef, refusedCause } from '../../domain/package/announcement.ts';
import { endCause, isEndUntold, NOBODY_TO_TELL } from '../../domain/package/package-end.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import type { Tx } from '../ports/store.ts';
import { keepWishes } from '../record-facts.ts';
import type { Ports } from '../world.ts';
import { isAdopted, isMeant } from './meant-agents.ts';
import { notePackage } from './record-package-fact.ts';

/** Tells agents at rest of packages that wait for them, one at a time, and never while a handoff has the agent. */
export async function announcePackages(ports: Ports): Promise<void> {
  const now = ports.clock.now();
  const isOld = ({ updatedAt }: StoredPackage): boolean => msBetween(updatedAt, now) > NEWS_MS;
  if (ports.store.read((tx) => waiting(tx, now).length === 0 && !endsToTell(tx, now).some(isOld))) return;
  await ports.store.write((tx) => {
    const told = new Set<number>();
    for (const stored of endsToTell(tx, now).filter(isOld)) {
      const { record } = stored;
      notePackage(tx, ports, stored, {
        note: 'announced',
        agentId: null,
        record,
        changes: { announced: NOBODY_TO_TELL },
      });
    }
    for (const { stored, cause, agent } of waiting(tx, now)) {
      if (told.has(agent.id)) continue;
      told.add(agent.id);
      const { record } = stored;
      notePackage(tx, ports, stored, { note: 'announced', agentId: agent.id, record, changes: { announced: cause } });
      const ref = announcementRef(record.id, agent.id, cause);
      keepWishes(tx, ports, [{ kind: 'announce_package', agentId: agent.id, packageId: record.id, ref }]);
    }
  });
}

interface Waiting {
  readonly stored: StoredPackage;
  readonly cause: string;
  readonly agent: Agent;
}

/** What is over, and was not told to whoever waits for it. */
const endsToTell = (tx: Tx, now: Instant): readonly StoredPackage[] =>
  tx.packagesDue(now).filter((stored) => {
    const isAgain = stored.announced === refusedCause(endCause(stored.record));
    return isEndUntold(stored) && (!isAgain || msBetween(stored.updatedAt, now) > AGAIN_MS);
  });

/** Who typed into the agent's composer meanwhile has sent it by then. */
const AGAIN_MS = 2 * 60_000;

/** After so long without anybody to tell, it is no news any more. */
const NEWS_MS = 24 * 3_600_000;

function waiting(tx: Tx, now: Instant): readonly Waiting[] {
  const packages = [...tx.packages({ inFlight: true }), ...endsToTell(tx, now)].flatMap((stored) => {
    const wanted = announcementOf(stored);
    return wanted === undefined ? [] : [{ stored, ...wanted }];
  });
  if (packages.length === 0) return [];
  const busy = new Set(tx.pendingEffects().map(({ effect }) => effect.agentId));
  const free = tx.liveAgents().filter((agent) => isFree(tx, agent) && !busy.has(agent.id));
  return packages.flatMap(({ stored, cause, to }) => {
    const agent = free.find((each) => isMeant(tx, stored, to, each));
    return agent === undefined ? [] : [{ stored, cause, agent }];
  });
}

export function isFree(tx: Tx, agent: Agent): boolean {
  if (isAdopted(agent)) return false;
  const inRun = tx.runsInFlight().some((run) => run.agentId === agent.id || run.successorAgentId === agent.id);
  return isLive(agent) && agent.state === 'idle' && agent.pane !== null && agent.priming.status !== 'typing' && !inRun;
}
