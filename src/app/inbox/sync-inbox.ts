import { type Agent, isLive } from '../../domain/agents/agent.ts';
import type { Run } from '../../domain/handoffs/run.ts';
import type { RunContext } from '../../domain/handoffs/step-rule.ts';
import {
  howItEnded,
  type InboxEntry,
  type InboxItem,
  inboxEntriesForAgent,
  inboxEntriesForEndedSender,
  inboxEntriesForRun,
  inboxEntryForLessons,
  isItemFor,
  isOverWithAgent,
  isOverWithMessage,
} from '../../domain/inbox/inbox.ts';
import { inboxEntriesForPackage } from '../../domain/packages/inbox-entries.ts';
import type { StoredPackage } from '../../domain/packages/stored-package.ts';
import type { Persona } from '../../domain/personas/persona.ts';
import { runInFlightOf, unreceivedBy } from '../handoffs/run-in-flight.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { appendNotice } from './append-notice.ts';
import { calledIn } from './called.ts';

/**
 * Updates the inbox items of a run in the transaction that changed the run. So each item opens in time, and closes once
 * its cause is gone.
 */
export function syncInboxForRun(tx: Tx, ports: Pick<Ports, 'secrets' | 'clock'>, run: Run, world: RunContext): void {
  const about = { agentId: run.agentId, runId: run.id };
  keep(tx, ports, inboxEntriesForRun(run, world), tx.currentInboxItems({ runId: run.id }), about);
}

export function syncInboxForAgent(tx: Tx, ports: Pick<Ports, 'secrets' | 'clock'>, agent: Agent): void {
  const persona = agent.personaId === null ? undefined : tx.personaById(agent.personaId);
  const inRun = runInFlightOf(tx, agent.id) !== undefined;
  const name = persona?.name ?? null;
  const wanted = isEndUnannounced(tx, agent, inRun)
    ? inboxEntriesForEndedSender(agent, name, unreceivedBy(tx, agent))
    : inboxEntriesForAgent(agent, name, inRun);
  const items = tx.currentInboxItems({ agentId: agent.id });
  if (!isLive(agent))
    for (const item of items.filter(isOverWithAgent)) resolveItem(tx, ports, item, 'the agent has ended');
  for (const item of items.filter((each) => isOverWithMessage(each, agent)))
    resolveItem(tx, ports, item, 'the agent has the message');
  const current = items.filter(({ cause }) => cause.of !== 'event');
  keep(tx, ports, wanted, current, { agentId: agent.id, runId: null }, (item) => howItEnded(item, agent));
}

/**
 * Returns whether the agent ended unexpectedly and nothing has reported its end: the agent was not asked to exit, no
 * run reported the end, and no other agent continues the work. Returns false for an agent that was lost because its
 * tmux server ended.
 */
function isEndUnannounced(tx: Tx, agent: Agent, inRun: boolean): boolean {
  const { id, state, isLeaving, endedAt, previousAgentId, resumesSession } = agent;
  if (state !== 'ended' || isLeaving === true || inRun || tx.successorsOf(id).length > 0) return false;
  if (tx.handoffOfAgent(id) !== undefined) return false;
  const asSuccessor = previousAgentId === null ? [] : tx.runsOfAgent(previousAgentId);
  if (asSuccessor.some(({ broughtBackAgentId }) => broughtBackAgentId === id)) return false;
  const received = asSuccessor.filter((run) => run.successorAgentId === id);
  // No item is needed: the run that started this agent has replaced it with another successor.
  if (previousAgentId !== null && resumesSession === null && received.length === 0) return false;
  if (received.some(isEndReported)) return false;
  const runs = [...tx.runsOfAgent(id), ...received];
  return !runs.some(({ steps }) =>
    steps.some(({ step, enteredAt }) => step === 'failed' && enteredAt >= (endedAt ?? '')),
  );
}

/**
 * True if the run itself reports the end of its successor: an undo of the run ended the successor, or the run failed
 * because its successor ended.
 */
const isEndReported = ({ steps, step, failure }: Run): boolean =>
  steps.some((each) => each.step === 'undoing') || (step === 'failed' && SUCCESSOR_ENDED.has(failure?.code ?? ''));

const SUCCESSOR_ENDED: ReadonlySet<string> = new Set(['successor_gone', 'successor_failed']);

export function syncInboxForPackage(tx: Tx, ports: Pick<Ports, 'secrets' | 'clock'>, stored: StoredPackage): void {
  const current = tx.currentInboxItems({ packageId: stored.record.id });
  const wanted = inboxEntriesForPackage(stored, ports.clock.now(), calledIn(tx, stored));
  keep(tx, ports, wanted, current, { agentId: null, runId: null });
}

/**
 * Updates the inbox item about a persona's lessons that wait for a decision. If a new lesson is offered, an item that
 * was dismissed opens again.
 */
export function syncInboxForLessons(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock'>,
  persona: Persona,
  { isNew }: { readonly isNew: boolean },
): void {
  const items = tx.currentInboxItems({ persona: persona.slug });
  const dismissed = isNew ? items.filter(({ resolvedAt }) => resolvedAt !== null) : [];
  for (const item of dismissed) resolveItem(tx, ports, item, 'a further lesson was offered');
  const current = items.filter((item) => !dismissed.includes(item));
  const isWaiting = tx.lessonsOfPersona(persona.id, ['offered'], 1).length > 0;
  const wanted = isWaiting ? [inboxEntryForLessons(persona)] : [];
  keep(tx, ports, wanted, current, { agentId: null, runId: null }, () => 'all lessons are decided');
}

type About = Pick<InboxItem, 'agentId' | 'runId'>;

function keep(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock'>,
  wanted: readonly InboxEntry[],
  current: readonly InboxItem[],
  about: About,
  howEnded: (item: InboxItem) => string | undefined = () => undefined,
): void {
  for (const item of current) {
    if (!wanted.some((wish) => isItemFor(wish, item)))
      resolveItem(tx, ports, item, howEnded(item) ?? 'its cause is resolved');
  }
  for (const entry of wanted) {
    const item = current.find((each) => isItemFor(entry, each));
    if (item === undefined) openItem(tx, ports, entry, about);
    else reword(tx, ports, item, entry);
  }
}

/** Updates the text of an open item when Baton knows more, for example after it has read a question from the screen. */
function reword(tx: Tx, { secrets: { redact } }: Pick<Ports, 'secrets'>, item: InboxItem, entry: InboxEntry): void {
  const [sentence, hint] = [redact(entry.sentence), redact(entry.hint)];
  if (item.sentence !== sentence || item.hint !== hint) tx.saveInboxItem({ ...item, sentence, hint });
}

export function openItem(tx: Tx, ports: Pick<Ports, 'secrets' | 'clock'>, entry: InboxEntry, about: About): void {
  const { redact } = ports.secrets;
  const item = tx.insertInboxItem({
    ...entry,
    sentence: redact(entry.sentence),
    hint: redact(entry.hint),
    ...about,
    openedAt: ports.clock.now(),
    current: true,
    resolvedAt: null,
    resolution: null,
    notifiedAt: null,
    notified: {},
  });
  const { id: itemId, kind, sentence, hint } = item;
  appendNotice(tx, ports, { type: 'inbox_opened', itemId, kind, sentence, hint }, about);
}

export function resolveItem(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock'>,
  item: InboxItem,
  resolution: string,
): void {
  const resolved = { ...item, current: false, resolvedAt: item.resolvedAt ?? ports.clock.now() };
  tx.saveInboxItem({ ...resolved, resolution: item.resolution ?? resolution });
  if (item.resolvedAt === null) tellResolved(tx, ports, item, resolution);
}

export function tellResolved(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock'>,
  item: InboxItem,
  resolution: string,
): void {
  const { agentId, runId } = item;
  appendNotice(tx, ports, { type: 'inbox_resolved', itemId: item.id, resolution }, { agentId, runId });
}
