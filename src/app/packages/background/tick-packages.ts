import { isLive } from '../../../domain/agents/agent.ts';
import { isWithin } from '../../../domain/instant.ts';
import { isDeadlineTooFar } from '../../../domain/packages/advance-package.ts';
import { isEndUnannounced, NOBODY_TO_TELL } from '../../../domain/packages/package-end.ts';
import { type Bound, unreadBy } from '../../../domain/packages/package-marks.ts';
import { isTerminal } from '../../../domain/packages/record.ts';
import { hasReminderDue, type StoredPackage } from '../../../domain/packages/stored-package.ts';
import { runInFlightOf } from '../../handoffs/run-in-flight.ts';
import type { Ports } from '../../ports/index.ts';
import type { Tx } from '../../ports/store.ts';
import { namesOf } from '../package-caller.ts';
import { notePackage, packageFactContext, recordPackageFact } from '../record-package-fact.ts';

/** Maximum number of packages of each kind per transaction; the next reconcile handles the rest. */
const MAX_AT_ONCE = 200;

/** Records each deadline that has passed as a fact about its package (SPEC P19). */
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

/**
 * Restarts each deadline that is further away than its timer allows (SPEC P19). Such a deadline exists after the clock
 * was set back, and its reminder would come much too late. This function reads every open package. Call it only if the
 * clock may have been set back.
 */
export async function restartFarDeadlines(
  ports: Pick<Ports, 'store' | 'secrets' | 'clock' | 'settings'>,
): Promise<void> {
  const far = ports.store.read((tx) => tx.packages({ inFlight: true }).filter((each) => isTooFar(ports, each)));
  for (let first = 0; first < far.length; first += MAX_AT_ONCE)
    await ports.store.write((tx) => {
      for (const { record } of far.slice(first, first + MAX_AT_ONCE))
        change(tx, record.id, (stored) => {
          if (isTooFar(ports, stored)) recordPackageFact(tx, ports, stored, { type: 'deadline_restarted' });
        });
    });
}

const isTooFar = (ports: Pick<Ports, 'clock' | 'settings'>, stored: StoredPackage): boolean =>
  hasReminderDue(stored) && isDeadlineTooFar(stored.record, packageFactContext(ports, stored.content));

/**
 * Finds agent sessions that have ended permanently. Records the end of each session in all packages that the session
 * sent or accepted (SPEC P15).
 */
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

/**
 * If an agent has ended without opening a package that was announced to it, forgets the announcement (SPEC P37). Baton
 * then announces the pending package to the next agent with the same name.
 */
export async function forgetEndedNotified(ports: Pick<Ports, 'store' | 'secrets' | 'clock'>): Promise<void> {
  if (ports.store.read(notifiedInVain).length === 0) return;
  await ports.store.write((tx) => {
    for (const stored of notifiedInVain(tx)) {
      const { record } = stored;
      const changes = { announced: null, told: null };
      notePackage(tx, ports, stored, { note: 'announced', agentId: null, record, changes });
    }
  });
}

function notifiedInVain(tx: Tx): readonly StoredPackage[] {
  const keys = tx.packageKeys('receiver');
  const live = new Set(keys.length === 0 ? [] : tx.liveAgents().map(({ id }) => id));
  return keys
    .filter(({ agentId }) => !live.has(agentId))
    .flatMap((bound) => tx.packagesMarked('receiver', bound, MAX_AT_ONCE))
    .filter((stored) => unreadBy(stored) !== null)
    .slice(0, MAX_AT_ONCE);
}

/**
 * Gives up announcing the end of a package. Called after Baton has searched for a whole day without finding an agent to
 * notify (SPEC P35).
 */
function giveUpNotifying(tx: Tx, ports: Pick<Ports, 'secrets' | 'clock'>, stored: StoredPackage): void {
  const { record } = stored;
  const changes = { announced: NOBODY_TO_TELL };
  if (isEndUnannounced(stored)) notePackage(tx, ports, stored, { note: 'announced', agentId: null, record, changes });
}

/**
 * Reads the package again inside this transaction, and passes the package to `work`, because the package may have
 * changed since the caller read it.
 */
function change(tx: Tx, id: string, work: (stored: StoredPackage) => unknown): void {
  const stored = tx.packageById(id);
  if (stored !== undefined) work(stored);
}

interface Gone {
  readonly id: string;
  readonly whose: 'sender' | 'receiver';
  /** True if another live agent has the receiver's name, so that this other agent can continue the work. */
  readonly replaced: boolean;
}

function goneParties(tx: Tx, ports: Pick<Ports, 'clock' | 'settings'>, whose: Gone['whose']): readonly Gone[] {
  const keys = tx.packageKeys(whose);
  const live = new Set(keys.length === 0 ? [] : tx.liveAgents().map(({ id }) => id));
  return keys
    .filter((bound) => !live.has(bound.agentId) && hasEnded(tx, ports, bound))
    .filter((bound) => whose === 'receiver' || !isPersonaInUse(tx, bound.name))
    .flatMap((bound) => tx.packagesMarked(whose, bound, MAX_AT_ONCE))
    .filter(({ record }) => whose === 'sender' || record.state === 'accepted')
    .slice(0, MAX_AT_ONCE)
    .map(({ record }) => ({ id: record.id, whose, replaced: whose === 'receiver' && isPersonaInUse(tx, record.to) }));
}

/**
 * Returns whether the agent's session has ended for good. The session has not ended for good if a run is handing it
 * off, or if a live successor continues its conversation or works from its document.
 */
function hasEnded(tx: Tx, ports: Pick<Ports, 'clock' | 'settings'>, { agentId }: Bound): boolean {
  const agent = tx.agentById(agentId);
  if (agent === undefined || isLive(agent)) return agent === undefined;
  // For some time after an agent's end, its packages stay with this agent, because the operator may still resume the
  // agent.
  const endedAt = agent.endedAt ?? agent.lastSeenAt;
  if (isWithin(ports.settings.packageTimers.gone, endedAt, ports.clock.now())) return false;
  return runInFlightOf(tx, agentId) === undefined && !hasLiveSuccessor(tx, agentId);
}

const hasLiveSuccessor = (tx: Tx, agentId: number): boolean =>
  tx.successorsOf(agentId).some((successor) => isLive(successor) || hasLiveSuccessor(tx, successor.id));

const isPersonaInUse = (tx: Tx, name: string): boolean =>
  tx.liveAgents().some((agent) => namesOf(tx, agent).includes(name));
