import { isLive } from '../../../domain/agents/agent.ts';
import { msBetween } from '../../../domain/instant.ts';
import { isEndUnannounced, NOBODY_TO_TELL } from '../../../domain/packages/package-end.ts';
import type { Bound } from '../../../domain/packages/package-marks.ts';
import { isTerminal } from '../../../domain/packages/record.ts';
import type { StoredPackage } from '../../../domain/packages/stored-package.ts';
import { runInFlightOf } from '../../handoffs/run-in-flight.ts';
import type { Ports } from '../../ports/index.ts';
import type { Tx } from '../../ports/store.ts';
import { namesOf } from '../package-caller.ts';
import { notePackage, recordPackageFact } from '../record-package-fact.ts';

/** Maximum number of packages of each kind per transaction; the next reconcile handles the rest. */
const MAX_AT_ONCE = 200;

/** P19. Records each deadline that has passed as a fact about its package. */
export async function tickPackages(ports: Pick<Ports, 'store' | 'secrets' | 'clock' | 'settings'>): Promise<void> {
  const now = ports.clock.now();
  const due = ports.store.read((tx) => tx.packagesDue(now, MAX_AT_ONCE));
  if (due.length === 0) return;
  await ports.store.write((tx) => {
    for (const { record } of due)
      change(tx, record.id, (stored) =>
        isTerminal(stored.record)
          ? giveUpNotifying(tx, ports, stored)
          : recordPackageFact(tx, ports, stored, { type: 'clock_ticked' }),
      );
  });
}

/** P15. Records that a session ended for good, in the packages that it sent or accepted. */
export async function noteEndedSessions(ports: Pick<Ports, 'store' | 'secrets' | 'clock' | 'settings'>): Promise<void> {
  const gone = ports.store.read((tx) => [...goneParties(tx, ports, 'sender'), ...goneParties(tx, ports, 'receiver')]);
  if (gone.length === 0) return;
  await ports.store.write((tx) => {
    for (const { id, whose, replaced } of gone)
      change(tx, id, (stored) => {
        const changes = replaced ? { receiverAgentId: null, readRevision: 0, announced: null } : {};
        return recordPackageFact(tx, ports, stored, { type: 'session_ended', whose, replaced }, { changes });
      });
  });
}

/** P35. Stops announcing the end of a package if for a day there was no agent to announce it to. */
function giveUpNotifying(tx: Tx, ports: Pick<Ports, 'secrets' | 'clock'>, stored: StoredPackage): void {
  const { record } = stored;
  const changes = { announced: NOBODY_TO_TELL };
  if (isEndUnannounced(stored)) notePackage(tx, ports, stored, { note: 'announced', agentId: null, record, changes });
}

/** Reads the package again before changing it, because its state may have changed meanwhile. */
function change(tx: Tx, id: string, work: (stored: StoredPackage) => unknown): void {
  const stored = tx.packageById(id);
  if (stored !== undefined) work(stored);
}

interface Gone {
  readonly id: string;
  readonly whose: 'sender' | 'receiver';
  /** true if another agent with the receiver's name is live and can continue the work. */
  readonly replaced: boolean;
}

function goneParties(tx: Tx, ports: Pick<Ports, 'clock' | 'settings'>, whose: Gone['whose']): readonly Gone[] {
  const keys = tx.packageKeys(whose);
  const live = new Set(keys.length === 0 ? [] : tx.liveAgents().map(({ id }) => id));
  return keys
    .filter((bound) => !live.has(bound.agentId) && hasEnded(tx, ports, bound))
    .filter((bound) => whose === 'receiver' || !isPersonaInUse(tx, bound.name))
    .flatMap((bound) => tx.packagesMarked(whose, bound, MAX_AT_ONCE))
    .slice(0, MAX_AT_ONCE)
    .map(({ record }) => ({ id: record.id, whose, replaced: whose === 'receiver' && isPersonaInUse(tx, record.to) }));
}

/** Has the session ended for good? Not if a run hands it off, or if a live session continues it or its document. */
function hasEnded(tx: Tx, ports: Pick<Ports, 'clock' | 'settings'>, { agentId }: Bound): boolean {
  const agent = tx.agentById(agentId);
  if (agent === undefined || isLive(agent)) return agent === undefined;
  // Give the operator time to resume the agent before its packages are taken from it.
  const goneMs = msBetween(agent.endedAt ?? agent.lastSeenAt, ports.clock.now());
  if (goneMs < ports.settings.packageTimers.gone) return false;
  return runInFlightOf(tx, agentId) === undefined && !hasLiveSuccessor(tx, agentId);
}

const hasLiveSuccessor = (tx: Tx, agentId: number): boolean =>
  tx.successorsOf(agentId).some((successor) => isLive(successor) || hasLiveSuccessor(tx, successor.id));

const isPersonaInUse = (tx: Tx, name: string): boolean =>
  tx.liveAgents().some((agent) => namesOf(tx, agent).includes(name));
