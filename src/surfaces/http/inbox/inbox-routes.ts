import { dismissInboxItem } from '../../../app/inbox/dismiss-inbox-item.ts';
import * as requests from '../../../contract/requests.ts';
import * as resources from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { viewInboxItem } from '../agents/views.ts';
import { ID, mapped, OPERATOR, type Route, route } from '../server/route.ts';

export const INBOX_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: PATHS.inbox,
    summary: 'The inbox: items that need a person, oldest first',
    answer: resources.Inbox,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps }) =>
      deps.ports.store.read((tx) => ({
        items: tx
          .openInboxItems()
          .map((item) => viewInboxItem(item, item.agentId === null ? undefined : tx.agentById(item.agentId))),
      })),
  }),
  route({
    method: 'POST',
    path: PATHS.dismiss(ID),
    summary: 'Dismiss an inbox item (does not resolve its cause)',
    body: requests.Nothing,
    answer: resources.InboxItem,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id }) => mapped(await dismissInboxItem(deps.ports, id), (item) => viewInboxItem(item)),
  }),
];
