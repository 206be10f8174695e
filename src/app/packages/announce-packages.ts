import { type Agent, isLive } from '../../domain/agent/agent.ts';
import { announcementOf, announcementRef } from '../../domain/package/announcement.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import type { Tx } from '../ports/store.ts';
import { keepWishes } from '../record-facts.ts';
import type { Ports } from '../world.ts';
import { isAdopted, isMeant } from './meant-agents.ts';
import { notePackage } from './record-package-fact.ts';

/** Tells agents at rest of packages that wait for them, one at a time, and never while a handoff has the agent. */
export async function announcePackages(ports: Ports): Promise<void> {
  if (ports.store.read((tx) => waiting(tx)).length === 0) return;
  await ports.store.write((tx) => {
    const told = new Set<number>();
    for (const { stored, cause, agent } of waiting(tx)) {
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

function waiting(tx: Tx): readonly Waiting[] {
  const packages = tx.packages({ inFlight: true }).flatMap((stored) => {
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
