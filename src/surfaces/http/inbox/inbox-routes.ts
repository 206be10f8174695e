import { loadRunContext } from '../../../app/engine/run-context.ts';
import { calledIn } from '../../../app/inbox/called.ts';
import { dismissInboxItem } from '../../../app/inbox/dismiss-inbox-item.ts';
import { restoreInboxItem } from '../../../app/inbox/restore-inbox-item.ts';
import type { Ports } from '../../../app/ports/index.ts';
import type { Tx } from '../../../app/ports/store.ts';
import * as requests from '../../../contract/requests.ts';
import * as resources from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { type InboxEntry, type InboxItem, inboxEntriesForRun, isItemFor } from '../../../domain/inbox/inbox.ts';
import { worstFirst } from '../../../domain/inbox/need.ts';
import { inboxEntriesForPackage } from '../../../domain/packages/inbox-entries.ts';
import { type ItemAbout, viewInboxItem } from '../agents/views.ts';
import { cutAt, pageIn } from '../server/page-in.ts';
import { ID, mapped, OPERATOR, type Route, route } from '../server/route.ts';

export const INBOX_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: PATHS.inbox,
    summary: 'The inbox: items that need a person, worst first',
    answer: resources.Inbox,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps: { ports } }) =>
      ports.store.read((tx) => ({
        items: worstFirst(tx.openInboxItems()).map((item) =>
          viewInboxItem(asOfNow(tx, ports, item), aboutItem(tx, item)),
        ),
      })),
  }),
  route({
    method: 'GET',
    path: PATHS.inboxHistory,
    summary:
      'The resolved and dismissed inbox items, newest first, each with how it ended; ?limit= (100 unless given), ?before=ID for items older than the item with this id',
    answer: resources.InboxHistory,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps: { ports }, query }) => {
      const page = pageIn(query);
      const { rows, next } = cutAt(
        ports.store.read((tx) => tx.settledInboxItems(page.oneMore)),
        page,
      );
      return { items: rows.map((item) => viewInboxItem(item)), next };
    },
  }),
  route({
    method: 'POST',
    path: PATHS.dismiss(ID),
    summary: 'Dismiss an inbox item (declines a request for a handoff; resolves no other cause)',
    body: requests.Nothing,
    answer: resources.InboxItem,
    status: 200,
    callers: OPERATOR,
    afar: 'command',
    handle: async ({ deps, id }) => mapped(await dismissInboxItem(deps.ports, id), (item) => viewInboxItem(item)),
  }),
  route({
    method: 'POST',
    path: PATHS.restoreItem(ID),
    summary: 'Restore a dismissed inbox item whose cause still exists',
    body: requests.Nothing,
    answer: resources.InboxItem,
    status: 200,
    callers: OPERATOR,
    afar: 'command',
    handle: async ({ deps, id }) => mapped(await restoreInboxItem(deps.ports, id), (item) => viewInboxItem(item)),
  }),
];

/**
 * Updates the text of an item about a run or a package. The stored sentence may contain an age, such as "3 min ago",
 * that is no longer right. The stored hint may name actions that are no longer possible.
 */
function asOfNow(tx: Tx, ports: Ports, item: InboxItem): InboxItem {
  const entry = entriesFor(tx, ports, item).find((each) => isItemFor(each, item));
  if (entry === undefined) return item;
  const { redact } = ports.secrets;
  return { ...item, sentence: redact(entry.sentence), hint: redact(entry.hint) };
}

function entriesFor(tx: Tx, ports: Ports, { cause }: InboxItem): readonly InboxEntry[] {
  if (cause.of === 'package') {
    const stored = tx.packageById(cause.packageId);
    return stored === undefined ? [] : inboxEntriesForPackage(stored, ports.clock.now(), calledIn(tx, stored));
  }
  const run = cause.of === 'run' ? tx.runById(cause.runId) : undefined;
  return run === undefined ? [] : inboxEntriesForRun(run, loadRunContext(tx, ports, run));
}

export function aboutItem(tx: Tx, { agentId, cause }: InboxItem): ItemAbout {
  const agent = agentId === null ? undefined : tx.agentById(agentId);
  const stored = cause.of === 'package' ? tx.packageById(cause.packageId) : undefined;
  return { agent, stored, hasRecord: agent !== undefined && tx.handoffOfAgent(agent.id) !== undefined };
}
