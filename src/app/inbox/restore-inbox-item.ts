import { type InboxItem, isOverOnceDismissed } from '../../domain/inbox/inbox.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { appendNotice } from './append-notice.ts';
import { DISMISSED } from './dismiss-inbox-item.ts';

/** Opens a dismissed item again, for an operator who dismissed the item by mistake. */
export function restoreInboxItem(
  ports: Pick<Ports, 'store' | 'secrets' | 'clock'>,
  itemId: number,
): Promise<InboxItem | Refusal> {
  return ports.store.write((tx) => {
    const item = tx.inboxItemById(itemId);
    if (item === undefined)
      return { code: 'inbox_item_not_found', sentence: `There is no inbox item ${itemId}` } as const;
    if (item.resolvedAt === null) return item;
    const refusal = refuseRestore(tx, item);
    if (refusal !== undefined) return refusal;
    const restored = { ...item, current: true, resolvedAt: null, resolution: null };
    tx.saveInboxItem(restored);
    const { agentId, runId } = item;
    appendNotice(tx, ports, { type: 'inbox_restored', itemId }, { agentId, runId });
    return tx.inboxItemById(itemId) ?? restored;
  });
}

function refuseRestore(tx: Tx, item: InboxItem): Refusal | undefined {
  const cannot = (why: string): Refusal => ({
    code: 'inbox_item_not_restorable',
    sentence: `Inbox item ${item.id} cannot be restored, because ${why}`,
  });
  if (item.resolution !== DISMISSED || (!item.current && !isOverOnceDismissed(item)))
    return cannot('its cause is resolved');
  if (item.cause.of !== 'trouble') return undefined;
  // Do not open the item again if a newer item exists about the same part of Baton. That part has failed again after
  // the operator dismissed the old item.
  const newer = tx.currentInboxItems({ of: 'trouble' }).find(({ id, key }) => key === item.key && id !== item.id);
  return newer && cannot(`inbox item ${newer.id} reports the same problem`);
}
