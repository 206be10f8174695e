import { isMuted } from '../../domain/agents/agent.ts';
import type { InboxItem } from '../../domain/inbox/inbox.ts';
import {
  type NotificationVerdict,
  notificationCategoryOf,
  shouldNotify,
} from '../../domain/inbox/notification-policy.ts';
import { isQuietAt } from '../../domain/inbox/quiet-hours.ts';
import { errorMessage } from '../error-message.ts';
import type { Ports } from '../ports/index.ts';
import type { Notification } from '../ports/notifier.ts';
import type { Tx } from '../ports/store.ts';
import { appendNotice } from './append-notice.ts';
import { agentsIn, notificationFor } from './word-notification.ts';

/**
 * Notifies the operator once for each inbox item that needs attention. If Baton crashes after it has sent a
 * notification and before it has recorded this, it sends the notification a second time.
 */
export interface OperatorNotifier {
  /**
   * Sends the notifications that are due. Must be called when the inbox may have a new item, or when a delayed item may
   * be due.
   */
  wake(): void;
  /** Starts no further notifications. Resolves when the notifications under way are sent. */
  stop(): Promise<void>;
}

/** Maximum number of notifications per minute. Items above this number wait and are sent in one summary. */
const MAX_IN_A_MINUTE = 10;
const MINUTE_MS = 60_000;

/**
 * Failures and all other items have separate rate limits, so that a flood of other items does not delay the
 * notification of a failure.
 */
type Lane = 'failures' | 'others';
const laneOf = (item: InboxItem): Lane => (notificationCategoryOf(item) === 'failures' ? 'failures' : 'others');

export function createOperatorNotifier(ports: Ports): OperatorNotifier {
  const underWay = new Map<number, Promise<void>>();
  const sentAt: Record<Lane, number[]> = { failures: [], others: [] };
  /**
   * Notifications that were sent, but that the store could not record yet. The key is the id of the inbox item. Baton
   * records these notifications later, and does not send them a second time.
   */
  const unnoted = new Map<number, Sent>();
  let stopped = false;

  const begin = (items: readonly InboxItem[], work: Promise<void>): void => {
    const done = work
      .catch((error: unknown) => ports.log.error(`could not record a notification: ${errorMessage(error)}`))
      .finally(() => {
        for (const { id } of items) underWay.delete(id);
      });
    for (const { id } of items) underWay.set(id, done);
  };

  const sendOut = (lane: Lane, items: readonly InboxItem[]): void => {
    const nowMs = ports.clock.monotonicMs();
    sentAt[lane] = sentAt[lane].filter((at) => nowMs - at < MINUTE_MS);
    const room = MAX_IN_A_MINUTE - sentAt[lane].length;
    for (const batch of inBatches(items, room)) {
      sentAt[lane].push(nowMs);
      begin(batch, tell(batch));
    }
  };

  const tell = async (items: readonly InboxItem[]): Promise<void> => {
    const sent = await send(ports, items);
    for (const { id } of items) unnoted.set(id, sent);
    await noteSent(sent);
  };
  const noteSent = async (sent: Sent): Promise<void> => {
    await note(ports, sent);
    for (const { id } of sent.items) unnoted.delete(id);
  };

  const wake = (): void => {
    if (stopped) return;
    for (const sent of new Set(unnoted.values()))
      if (!sent.items.some(({ id }) => underWay.has(id))) begin(sent.items, noteSent(sent));
    const judged = ports.store.read((tx) => selectPending(tx, ports)).filter(({ item }) => !underWay.has(item.id));
    const held = judged.filter(({ item, verdict }) => isHeld(verdict) && item.notified.held === undefined);
    if (held.length > 0)
      begin(
        held.map(({ item }) => item),
        noteHeld(ports, held),
      );
    const due = judged.filter(({ verdict }) => verdict === 'now').map(({ item }) => item);
    for (const lane of ['failures', 'others'] as const)
      sendOut(
        lane,
        due.filter((item) => laneOf(item) === lane),
      );
  };

  const stop = async (): Promise<void> => {
    stopped = true;
    await Promise.all(underWay.values());
  };
  return { wake, stop };
}

interface Judged {
  readonly item: InboxItem;
  readonly verdict: NotificationVerdict;
}

const isHeld = (verdict: NotificationVerdict): boolean => verdict === 'quiet hours' || verdict === 'muted';

function selectPending(tx: Tx, { clock, operatorSettings }: Ports): readonly Judged[] {
  const now = clock.now();
  const { notifications, quietHours } = operatorSettings.current();
  const isQuiet = isQuietAt(quietHours, clock.minutesOfDay(now));
  const mutes = new Map<number, boolean>();
  const isAgentMuted = (id: number): boolean => {
    const agent = mutes.has(id) ? undefined : tx.agentById(id);
    if (agent !== undefined) mutes.set(id, isMuted(agent, now));
    return mutes.get(id) ?? false;
  };
  return tx.unsentInboxItems().map((item) => ({
    item,
    verdict: shouldNotify(item, {
      isOn: (telling) => notifications[telling],
      isQuiet,
      isMuted: item.agentId !== null && isAgentMuted(item.agentId),
    }),
  }));
}

/**
 * Divides the items into notifications: one summary of all delayed items, and one notification for each other item. If
 * these are too many for the rate limit, one summary contains all items.
 */
function inBatches(items: readonly InboxItem[], room: number): readonly (readonly InboxItem[])[] {
  const waited = items.filter(({ notified }) => notified.held !== undefined);
  const fresh = items.filter(({ notified }) => notified.held === undefined);
  const batches = [...(waited.length > 0 ? [waited] : []), ...fresh.map((item) => [item])];
  if (batches.length <= room) return batches;
  return room > 0 ? [items] : [];
}

interface Sent {
  readonly items: readonly InboxItem[];
  readonly notification: Notification;
  readonly outcome: Readonly<Record<string, string>>;
}

async function send(ports: Ports, items: readonly InboxItem[]): Promise<Sent> {
  const { redact } = ports.secrets;
  const worded = ports.store.read((tx) => notificationFor(items, agentsIn(tx)));
  // Redact again, because a secret that became known only after the item was stored must not leave this machine.
  const notification = { ...worded, title: redact(worded.title), body: redact(worded.body) };
  const sent = await ports.notifier.send(notification);
  const outcome = Object.fromEntries(
    sent.map((each) => [each.channel, 'sentence' in each ? `${each.outcome}: ${redact(each.sentence)}` : each.outcome]),
  );
  return { items, notification, outcome };
}

async function note(ports: Ports, { items, notification, outcome }: Sent): Promise<void> {
  await ports.store.write((tx) => {
    const notifiedAt = ports.clock.now();
    const known = items.map(({ id }) => tx.inboxItemById(id)).filter((item) => item !== undefined);
    const [first] = known;
    if (first === undefined) return;
    for (const item of known) tx.saveInboxItem({ ...item, notifiedAt, notified: outcome });
    const { title, body, target } = notification;
    const path = target?.path ?? '/inbox';
    const about = items.length === 1 ? first : { agentId: null, runId: null };
    const itemIds = known.map(({ id }) => id);
    appendNotice(
      tx,
      ports,
      { type: 'operator_notified', itemId: first.id, itemIds, title, body, path, outcome },
      about,
    );
  });
}

async function noteHeld(ports: Ports, held: readonly Judged[]): Promise<void> {
  await ports.store.write((tx) => {
    for (const { item, verdict } of held) {
      const stands = tx.inboxItemById(item.id);
      if (stands === undefined || stands.resolvedAt !== null) continue;
      tx.saveInboxItem({ ...stands, notified: { held: verdict } });
      const { agentId, runId } = item;
      appendNotice(tx, ports, { type: 'inbox_held', itemId: item.id, why: verdict }, { agentId, runId });
    }
  });
}
