import { isLive } from '../../domain/agent/agent.ts';
import { msBetween } from '../../domain/instant.ts';
import { isEndUntold, NOBODY_TO_TELL } from '../../domain/package/package-end.ts';
import type { Bound } from '../../domain/package/package-marks.ts';
import { isTerminal } from '../../domain/package/record.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import type { Tx } from '../ports/store.ts';
import type { Ports } from '../world.ts';
import { namesOf } from './package-caller.ts';
import { notePackage, recordPackageFact } from './record-package-fact.ts';

/** So many of each kind in one transaction; the next look goes on. */
const MOST_AT_ONCE = 200;

/** P15 and P19. Time and sessions that ended become facts, by the regular look at the world. */
export async function tickPackages(ports: Ports): Promise<void> {
  const now = ports.clock.now();
  const { due, gone } = ports.store.read((tx) => ({
    due: tx.packagesDue(now, MOST_AT_ONCE),
    gone: [...goneParties(tx, ports, 'sender'), ...goneParties(tx, ports, 'receiver')],
  }));
  if (due.length === 0 && gone.length === 0) return;
  await ports.store.write((tx) => {
    for (const { id, whose, replaced } of gone)
      change(tx, id, (stored) => {
        const changes = replaced ? { receiverAgentId: null, readRevision: 0, announced: null } : {};
        return recordPackageFact(tx, ports, stored, { type: 'session_ended', whose, replaced }, { changes });
      });
    for (const { record } of due)
      change(tx, record.id, (stored) =>
        isTerminal(stored.record)
          ? giveUpTelling(tx, ports, stored)
          : recordPackageFact(tx, ports, stored, { type: 'clock_ticked' }),
      );
  });
}

/** P35. Nobody was there for a day to hear that it is over: it is no news any more. */
function giveUpTelling(tx: Tx, ports: Ports, stored: StoredPackage): void {
  const { record } = stored;
  const changes = { announced: NOBODY_TO_TELL };
  if (isEndUntold(stored)) notePackage(tx, ports, stored, { note: 'announced', agentId: null, record, changes });
}

/** As it is now: it may have gone on since it was read. */
function change(tx: Tx, id: string, work: (stored: StoredPackage) => unknown): void {
  const stored = tx.packageById(id);
  if (stored !== undefined) work(stored);
}

interface Gone {
  readonly id: string;
  readonly whose: 'sender' | 'receiver';
  /** Another agent of the receiver's name is there and can go on. */
  readonly replaced: boolean;
}

function goneParties(tx: Tx, ports: Ports, whose: Gone['whose']): readonly Gone[] {
  const keys = tx.packageKeys(whose);
  const live = new Set(keys.length === 0 ? [] : tx.liveAgents().map(({ id }) => id));
  return keys
    .filter((bound) => !live.has(bound.agentId) && hasEnded(tx, ports, bound))
    .filter((bound) => whose === 'receiver' || !isWorn(tx, bound.name))
    .flatMap((bound) => tx.packagesMarked(whose, bound, MOST_AT_ONCE))
    .slice(0, MOST_AT_ONCE)
    .map(({ record }) => ({ id: record.id, whose, replaced: whose === 'receiver' && isWorn(tx, record.to) }));
}

/** The session has ended for good: no run hands it over, and no session goes on with its conversation or its document. */
function hasEnded(tx: Tx, ports: Ports, { agentId }: Bound): boolean {
  const agent = tx.agentById(agentId);
  if (agent === undefined || isLive(agent)) return agent === undefined;
  // Time for the operator to bring it back before its packages are taken from it.
  const goneMs = msBetween(agent.endedAt ?? agent.lastSeenAt, ports.clock.now());
  if (goneMs < ports.settings.packageTimers.gone) return false;
  const inRun = tx.runsInFlight().some((run) => run.agentId === agentId || run.successorAgentId === agentId);
  return !inRun && !hasLiveHeir(tx, agentId);
}

const hasLiveHeir = (tx: Tx, agentId: number): boolean =>
  tx.heirsOf(agentId).some((heir) => isLive(heir) || hasLiveHeir(tx, heir.id));

const isWorn = (tx: Tx, name: string): boolean => tx.liveAgents().some((agent) => namesOf(tx, agent).includes(name));
