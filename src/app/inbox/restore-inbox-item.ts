import { autoOf } from '../../domain/handoffs/policy/auto-handoff.ts';
import { type InboxItem, isOverOnceDismissed, requesterOf } from '../../domain/inbox/inbox.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { type FactPorts, recordFact } from '../engine/record-facts.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { appendNotice } from './append-notice.ts';
import { DISMISSED } from './dismiss-inbox-item.ts';

/**
 * Opens a dismissed item again, for an operator who dismissed the item by mistake. If the dismissal declined an agent's
 * request for a handoff, also restores the request.
 */
export function restoreInboxItem(
  ports: FactPorts & Pick<Ports, 'store'>,
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
    const requesterId = requesterOf(item);
    if (requesterId !== undefined)
      recordFact(tx, ports, { type: 'handoff_request_restored', agentId: requesterId, itemId });
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
  const isOver = !item.current && (!isOverOnceDismissed(item) || isRequestOver(tx, item));
  if (item.resolution !== DISMISSED || isOver) return cannot('its cause is resolved');
  if (item.cause.of !== 'trouble') return undefined;
  // Do not open the item again if a newer item exists about the same part of Baton: the newer item already says that
  // this part has failed again since the operator dismissed the old item.
  const newer = tx.currentInboxItems({ of: 'trouble' }).find(({ id, key }) => key === item.key && id !== item.id);
  return newer && cannot(`inbox item ${newer.id} reports the same problem`);
}

/**
 * True if the item reports an agent's request for a handoff, and this request cannot be restored: the agent asked again,
 * was handed off or ended after the operator had declined the request.
 */
function isRequestOver(tx: Tx, item: InboxItem): boolean {
  const agentId = requesterOf(item);
  if (agentId === undefined) return false;
  const agent = tx.agentById(agentId);
  return agent === undefined || autoOf(agent).declined?.itemId !== item.id;
}
