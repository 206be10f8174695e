import { isLive } from '../../domain/agent/agent.ts';
import { msBetween } from '../../domain/instant.ts';
import { HUMAN, ORCHESTRATOR } from '../../domain/package/package.ts';
import { isTerminal } from '../../domain/package/record.ts';
import { type StoredPackage, tellsOfRun } from '../../domain/package/stored-package.ts';
import type { Tx } from '../ports/store.ts';
import type { Ports } from '../world.ts';
import { namesOf } from './package-caller.ts';
import { recordPackageFact } from './record-package-fact.ts';

/** A party may be started anew, or handed over; only after so long without anyone of its name it is gone. */
const GONE_MS = 10 * 60_000;

/** P15 and P19. Time and sessions that ended become facts, by the regular look at the world. */
export async function tickPackages(ports: Ports): Promise<void> {
  const now = ports.clock.now();
  const { due, gone } = ports.store.read((tx) => ({
    // P26. A run has deadlines of its own, and knows best who of the two is gone.
    due: tx.packagesDue(now).filter((stored) => !tellsOfRun(stored) && !isTerminal(stored.record)),
    gone: goneParties(tx, ports),
  }));
  if (due.length === 0 && gone.length === 0) return;
  await ports.store.write((tx) => {
    for (const { id, whose } of gone)
      change(tx, id, (stored) => recordPackageFact(tx, ports, stored, { type: 'session_ended', whose }));
    for (const { record } of due)
      change(tx, record.id, (stored) => recordPackageFact(tx, ports, stored, { type: 'clock_ticked' }));
  });
}

/** As it is now: it may have gone on since it was read. */
function change(tx: Tx, id: string, work: (stored: StoredPackage) => unknown): void {
  const stored = tx.packageById(id);
  if (stored !== undefined) work(stored);
}

interface Gone {
  readonly id: string;
  readonly whose: 'sender' | 'receiver';
}

function goneParties(tx: Tx, ports: Ports): readonly Gone[] {
  return tx.packages({ inFlight: true }).flatMap((stored): Gone[] => {
    if (tellsOfRun(stored)) return [];
    const { id, from, to, owner, senderGone } = stored.record;
    const sender = !senderGone && isGone(tx, ports, from, stored.senderAgentId);
    const receiver = owner === 'receiver' && isGone(tx, ports, to, stored.receiverAgentId);
    return [
      ...(sender ? [{ id, whose: 'sender' as const }] : []),
      ...(receiver ? [{ id, whose: 'receiver' as const }] : []),
    ];
  });
}

function isGone(tx: Tx, ports: Ports, name: string, agentId: number | null): boolean {
  if (name === HUMAN || name === ORCHESTRATOR || agentId === null) return false;
  const agent = tx.agentById(agentId);
  if (agent === undefined || isLive(agent)) return agent === undefined;
  const endedAt = agent.endedAt ?? agent.lastSeenAt;
  if (msBetween(endedAt, ports.clock.now()) < GONE_MS) return false;
  const inRun = tx.runsInFlight().some((run) => run.agentId === agentId || run.successorAgentId === agentId);
  return !inRun && !tx.liveAgents().some((other) => namesOf(tx, other).includes(name));
}
