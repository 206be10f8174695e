import { type Agent, isLive } from '../../../domain/agents/agent.ts';
import {
  inboxEntriesForOutage,
  lostServer,
  outagesOf,
  RESTORED_SHOWN_MS,
  whyRestoreCloses,
} from '../../../domain/agents/outage.ts';
import { refuseResume, wentOnIn } from '../../../domain/agents/resume.ts';
import type { Fact } from '../../../domain/facts.ts';
import { type InboxEntry, type InboxItem, isItemFor } from '../../../domain/inbox/inbox.ts';
import { type Instant, msBetween } from '../../../domain/instant.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import { type FactPorts, recordFact } from '../../engine/record-facts.ts';
import { raiseNotice } from '../../inbox/raise-notice.ts';
import { openItem, resolveItem } from '../../inbox/sync-inbox.ts';
import type { Ports } from '../../ports/index.ts';
import type { Tx } from '../../ports/store.ts';
import { aroundOf, resumeAgent } from './resume-agent.ts';

/** The progress of restoring one lost agent. `offered` means that the operator has not requested the restore yet. */
export interface Restoring {
  readonly agent: Agent;
  readonly status: 'offered' | 'waiting' | 'starting' | 'back' | 'failed';
  readonly resumedAs: Agent | null;
  readonly detail: string | null;
}

/**
 * Stores the restore request with each agent. Reconcile then resumes one agent after the other, also after a restart of
 * the server. A second request is harmless, because each conversation is resumed in only one agent.
 */
export function restoreAgents(ports: FactPorts & Pick<Ports, 'store'>): Promise<readonly Restoring[]> {
  return ports.store.write((tx) => {
    for (const agent of offeredAgents(tx))
      if (agent.restore?.status !== 'wanted') recordFact(tx, ports, { type: 'restore_wanted', agentId: agent.id });
    return progressIn(tx, ports.clock.now());
  });
}

export const restoreProgress = (ports: Pick<Ports, 'store' | 'clock'>): readonly Restoring[] =>
  ports.store.read((tx) => progressIn(tx, ports.clock.now()));

/**
 * Returns the agents whose restore was offered and not declined, and the agents whose restore was requested recently.
 */
function progressIn(tx: Tx, now: Instant): readonly Restoring[] {
  const offered = new Set(offeredAgents(tx).map(({ id }) => id));
  return tx.agentsToRestore().flatMap((agent): Restoring[] => {
    const successor = tx
      .successorsOf(agent.id)
      .filter(({ resumesSession }) => resumesSession !== null)
      .at(-1);
    if (offered.has(agent.id)) return [{ agent, resumedAs: null, ...waiting(agent, successor) }];
    const asked = agent.restore?.status === 'wanted' && msBetween(agent.restore.since, now) < RESTORED_SHOWN_MS;
    return asked && successor !== undefined ? [{ agent, resumedAs: successor, ...arrival(successor) }] : [];
  });
}

function waiting({ restore }: Agent, successor: Agent | undefined): Pick<Restoring, 'status' | 'detail'> {
  if (restore?.status === 'wanted') return { status: 'waiting', detail: null };
  if (restore?.status === 'failed') return { status: 'failed', detail: restore.detail };
  const detail = successor === undefined ? null : `agent ${successor.id}: ${successor.stateReason}`;
  return { status: 'offered', detail };
}

const arrival = (successor: Agent): Pick<Restoring, 'status' | 'detail'> =>
  successor.registeredAt !== null
    ? { status: 'back', detail: successor.stateReason }
    : { status: isLive(successor) ? 'starting' : 'failed', detail: successor.stateReason };

/** Returns the agents that were lost with their terminal and whose work no other agent continues. */
const restorable = (tx: Tx): readonly Agent[] =>
  tx.agentsToRestore().filter((agent) => refuseResume(agent, aroundOf(tx, agent), false) === undefined);

function offeredAgents(tx: Tx): readonly Agent[] {
  const declined = declinedOutages(tx);
  return restorable(tx).filter((agent) => !declined.has(lostServer(agent) ?? ''));
}

const declinedOutages = (tx: Tx): ReadonlySet<string> =>
  new Set(
    outageItems(tx).flatMap(({ cause, resolvedAt }) =>
      resolvedAt !== null && cause.of === 'outage' ? [cause.server] : [],
    ),
  );

const outageItems = (tx: Tx): readonly InboxItem[] => tx.currentInboxItems({ of: 'outage' });

/**
 * Offers the restore of lost agents, and resumes the agents whose restore was requested. Every reconcile calls this
 * function.
 */
export async function tendRestoring(ports: Ports): Promise<void> {
  await closeSettled(ports);
  if (isOfferBehind(ports)) await ports.store.write((tx) => keepOffers(tx, ports));
  await restoreNext(ports);
}

/**
 * Maximum number of lost agents that one transaction records as not restorable; the next reconcile handles the rest.
 */
const MAX_CLOSED = 50;

/** Marks the lost agents that Baton will not restore. Later reconciles no longer check these agents. */
async function closeSettled(ports: Ports): Promise<void> {
  const settled = (tx: Tx): readonly Fact[] => {
    const declined = declinedOutages(tx);
    const now = ports.clock.now();
    return tx.agentsToRestore().flatMap((agent): Fact[] => {
      const isDeclined = declined.has(lostServer(agent) ?? '');
      const detail = whyRestoreCloses(agent, tx.successorsOf(agent.id), { isDeclined, now });
      return detail === undefined ? [] : [{ type: 'restore_closed', agentId: agent.id, detail }];
    });
  };
  if (ports.store.read(settled).length === 0) return;
  await ports.store.write((tx) => {
    for (const fact of settled(tx).slice(0, MAX_CLOSED)) recordFact(tx, ports, fact);
  });
}

const nobody = { agentId: null, runId: null };

/**
 * Returns the restore offers for the inbox, one for each outage. The text of an offer does not change until all agents
 * of the outage are restored.
 */
function wantedOffers(tx: Tx, ports: Ports): readonly InboxEntry[] {
  const nameOf = ({ personaId }: Agent): string | null =>
    personaId === null ? null : (tx.personaById(personaId)?.name ?? null);
  const due = new Set(restorable(tx).map(lostServer));
  return outagesOf(tx.agentsToRestore())
    .filter(({ server }) => due.has(server))
    .map((outage) => inboxEntriesForOutage(outage, nameOf, ports.bootId));
}

function isOfferBehind(ports: Ports): boolean {
  return ports.store.read((tx) => {
    const items = outageItems(tx);
    const wanted = wantedOffers(tx, ports);
    return wanted.length !== items.length || !wanted.every((wish) => items.some((item) => isItemFor(wish, item)));
  });
}

function keepOffers(tx: Tx, ports: Ports): void {
  const wanted = wantedOffers(tx, ports);
  const items = outageItems(tx);
  for (const item of items)
    if (!wanted.some((entry) => isItemFor(entry, item)))
      resolveItem(tx, ports, item, 'no lost agent is left to resume');
  for (const entry of wanted) if (!items.some((item) => isItemFor(entry, item))) openItem(tx, ports, entry, nobody);
}

/** How long a process may need to notice that its terminal is gone, and to exit. */
const PATIENCE_MS = 20_000;
/** How long Baton waits for the session of one restored agent to begin before it resumes the next agent. */
const START_MS = 60_000;

/**
 * Resumes the next agent once the session of the previous agent has begun or failed. Starting all agents at once would
 * slow down each of them.
 */
async function restoreNext(ports: Ports): Promise<void> {
  const next = ports.store.read((tx) => {
    const wanted = tx.agentsToRestore().filter(({ restore }) => restore?.status === 'wanted');
    const successors = wanted.flatMap(({ id }) => wentOnIn(tx.successorsOf(id)) ?? []);
    const isArriving = (successor: Agent): boolean =>
      isLive(successor) &&
      successor.registeredAt === null &&
      msBetween(successor.startedAt, ports.clock.now()) < START_MS;
    return successors.some(isArriving)
      ? undefined
      : wanted.find(({ id }) => wentOnIn(tx.successorsOf(id)) === undefined);
  });
  if (next?.restore?.status !== 'wanted') return;
  const { since } = next.restore;
  const stillborn = ports.store
    .read((tx) => tx.successorsOf(next.id))
    .findLast((successor) => isOfThisTry(successor, since));
  // The restored agent could not be started, and the inbox already shows this. Baton tries again only if the operator
  // requests the restore again.
  if (stillborn !== undefined) return failed(ports, next.id, `agent ${stillborn.id} ${stillborn.stateReason}`);
  ports.checkpoint('restore:next');
  const resumed = await resumeAgent(ports, next.id, { anyway: false });
  ports.checkpoint('restore:resumed');
  if (!isRefusal(resumed)) return;
  const isPassing = resumed.code === 'process_still_runs' && msBetween(since, ports.clock.now()) < PATIENCE_MS;
  if (isPassing) return;
  const warning = `Agent ${next.id} was not resumed: ${resumed.sentence}. ${resumed.hint ?? ''}`.trim();
  await failed(ports, next.id, resumed.sentence, warning);
}

const isOfThisTry = ({ resumesSession, startedAt }: Agent, since: Instant): boolean =>
  resumesSession !== null && startedAt >= since;

async function failed(ports: Ports, agentId: number, detail: string, warning?: string): Promise<void> {
  await ports.store.write((tx) => {
    recordFact(tx, ports, { type: 'restore_failed', agentId, detail });
    if (warning === undefined) return;
    raiseNotice(tx, ports, { type: 'agent_warning', sentence: warning }, { agentId, runId: null });
  });
}
