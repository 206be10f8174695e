import { type InboxItem, type InboxKind, isSentOut } from '../domain/inbox.ts';
import { logNotice } from './log-notice.ts';
import { messageOf } from './message-of.ts';
import type { Notification } from './ports/notifier.ts';
import type { Ports } from './world.ts';

/** Tells the operator where he is, once for each thing that needs him; after a crash in between, once more. */
export interface OperatorNotifier {
  /** The inbox may have something new. */
  wake(): void;
  /** Takes nothing new; resolves when what is on its way is out. */
  stop(): Promise<void>;
}

const TITLE: Record<InboxKind, string> = {
  failure: 'Baton: a handoff has stopped',
  question: 'Baton: an agent asks',
  decision: 'Baton: your decision is needed',
  notice: 'Baton: to know',
};
const URGENCY: Record<InboxKind, Notification['urgency']> = {
  failure: 'critical',
  question: 'normal',
  decision: 'normal',
  notice: 'low',
};

export function createOperatorNotifier(ports: Ports): OperatorNotifier {
  const underWay = new Map<number, Promise<void>>();
  let stopped = false;

  const wake = (): void => {
    if (stopped) return;
    for (const item of ports.store.read((tx) => tx.openInboxItems())) {
      if (item.notifiedAt !== null || !isSentOut(item) || underWay.has(item.id)) continue;
      const work = tell(ports, item)
        .catch((error: unknown) => ports.log.error(`a notification could not be noted: ${messageOf(error)}`))
        .finally(() => underWay.delete(item.id));
      underWay.set(item.id, work);
    }
  };

  const stop = async (): Promise<void> => {
    stopped = true;
    await Promise.all(underWay.values());
  };
  return { wake, stop };
}

async function tell(ports: Ports, { id, kind, sentence, hint }: InboxItem): Promise<void> {
  const sent = await ports.notifier.send({ title: TITLE[kind], body: `${sentence}\n${hint}`, urgency: URGENCY[kind] });
  const outcome = Object.fromEntries(
    sent.map((each) => [each.channel, 'sentence' in each ? `${each.outcome}: ${each.sentence}` : each.outcome]),
  );
  await ports.store.write((tx) => {
    const item = tx.inboxItemById(id);
    if (item === undefined) return;
    tx.saveInboxItem({ ...item, notifiedAt: ports.clock.now(), notified: outcome });
    const { agentId, runId } = item;
    logNotice(tx, ports, { type: 'operator_notified', itemId: id, outcome }, { agentId, runId });
  });
}
