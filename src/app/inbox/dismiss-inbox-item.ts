import { type InboxItem, isOverOnceDismissed, requesterOf } from '../../domain/inbox/inbox.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { type FactPorts, recordFact } from '../engine/record-facts.ts';
import type { Ports } from '../ports/index.ts';
import { tellResolved } from './sync-inbox.ts';

export const DISMISSED = 'dismissed by the operator';

/**
 * Records that the operator has seen the item, although the cause of the item may still exist. If the item reports an
 * agent's request for a handoff, the dismissal also declines the request. If the request stayed open, Baton would begin
 * the handoff later under the policy `auto`.
 */
export function dismissInboxItem(
  ports: FactPorts & Pick<Ports, 'store'>,
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
    const agentId = requesterOf(item);
    if (agentId !== undefined) recordFact(tx, ports, { type: 'handoff_request_declined', agentId, itemId });
    return tx.inboxItemById(itemId) ?? dismissed;
  });
}
