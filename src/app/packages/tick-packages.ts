import { isLive } from '../../domain/agent/agent.ts';
import { msBetween } from '../../domain/instant.ts';
import type { Bound } from '../../domain/package/package-marks.ts';
import { isTerminal } from '../../domain/package/record.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import type { Tx } from '../ports/store.ts';
import type { Ports } from '../world.ts';
import { namesOf } from './package-caller.ts';
import { recordPackageFact } from './record-package-fact.ts';

/** A party may be started anew, or handed over; only after so long without anyone of its name it is gone. */
const GONE_MS = 10 * 60_000;

/** So many of each kind in one transaction; the next look goes on. */
const MOST_AT_ONCE = 200;

/** P15 and P19. Time and sessions that ended become facts, by the regular look at the world. */
export async function tickPackages(ports: Ports): Promise<void> {
  const now = ports.clock.now();
  const { due, gone } = ports.store.read((tx) => ({
    due: tx.packagesDue(now, MOST_AT_ONCE).filter(({ record }) => !isTerminal(record)),
    gone: [...goneParties(tx, ports, 'sender'), ...goneParties(tx, ports, 'receiver')],
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

const goneParties = (tx: Tx, ports: Ports, whose: Gone['whose']): readonly Gone[] =>
  tx
    .packageKeys(whose)
    .filter((bound) => isGone(tx, ports, bound))
    .flatMap((bound) => tx.packagesMarked(whose, bound, MOST_AT_ONCE))
    .slice(0, MOST_AT_ONCE)
    .map(({ record }) => ({ id: record.id, whose }));

function isGone(tx: Tx, ports: Ports, { agentId, name }: Bound): boolean {
  const agent = tx.agentById(agentId);
  if (agent === undefined || isLive(agent)) return agent === undefined;
  const endedAt = agent.endedAt ?? agent.lastSeenAt;
  if (msBetween(endedAt, ports.clock.now()) < GONE_MS) return false;
  const inRun = tx.runsInFlight().some((run) => run.agentId === agentId || run.successorAgentId === agentId);
  return !inRun && !tx.liveAgents().some((other) => namesOf(tx, other).includes(name));
}
