import { type InboxItem, isOverOnceDismissed } from '../../domain/inbox/inbox.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { Ports } from '../ports/index.ts';
import { tellResolved } from './sync-inbox.ts';

export const DISMISSED = 'dismissed by the operator';

/** Records that the operator has seen the item. The cause of the item may still exist. */
export function dismissInboxItem(
  ports: Pick<Ports, 'store' | 'secrets' | 'clock'>,
  itemId: number,
): Promise<InboxItem | Refusal> {
  return ports.store.write((tx) => {
    const item = tx.inboxItemById(itemId);
    if (item === undefined)
      return { code: 'inbox_item_not_found', sentence: `There is no inbox item ${itemId}` } as const;
    if (item.resolvedAt !== null) return item;
    const dismissed = { ...item, resolvedAt: ports.clock.now(), resolution: DISMISSED };
    tx.saveInboxItem(isOverOnceDismissed(item) ? { ...dismissed, current: false } : dismissed);
    tellResolved(tx, ports, item, DISMISSED);
    return tx.inboxItemById(itemId) ?? dismissed;
  });
}
